import FrameBudget
import Testing

struct CSVTextTests {
  @Test(arguments: [
    ("=1+1", "'=1+1"), ("+cmd|x", "'+cmd|x"), ("-a", "'-a"), ("@SUM(A1)", "'@SUM(A1)"),
    ("'=x", "''=x"), ("''-x", "'''-x"), ("-", "'-"), ("+", "'+"), ("-e", "'-e"),
    // Neither a formula nor guarded.
    ("", ""), ("a=b", "a=b"), ("'quoted'", "'quoted'"), ("-1.5", "-1.5"), ("+3e-2", "+3e-2"),
    ("'", "'"), ("''", "''"),
  ])
  func `text that a spreadsheet would run is escaped, and reads back unchanged`(
    _ text: String, _ field: String
  ) {
    #expect(CSVText.guarded(text) == field)
    #expect(CSVText.plain(field) == text)
  }
}
