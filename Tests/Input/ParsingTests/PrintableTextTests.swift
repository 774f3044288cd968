import FrameBudgetParsing
import Testing

struct PrintableTextTests {
  @Test(arguments: [
    ("plain", "plain"), ("\u{1B}[2J", "\\u{1B}[2J"), ("a\nb\r\tc", "a\\nb\\r\\tc"),
    ("exe\u{202E}gpj", "exe\\u{202E}gpj"), ("\u{2066}x\u{2069}", "\\u{2066}x\\u{2069}"),
    ("\u{9B}31m", "\\u{9B}31m"), ("\u{7F}", "\\u{7F}"), ("\u{2028}", "\\u{2028}"),
    ("\u{200F}\u{61C}\u{FEFF}", "\\u{200F}\\u{61C}\\u{FEFF}"), ("zażółć 👩‍💻 ❤️", "zażółć 👩‍💻 ❤️"),
  ])
  func `terminal control characters are escaped`(_ text: String, _ shown: String) {
    #expect(text.printable == shown)
  }

  @Test func `an error about a hostile name is one line`() {
    let error = InputError("holds '\u{1B}[31m\u{202E}'", file: "a\nb", line: 3)
    #expect(error.description == "a\\nb:3: holds '\\u{1B}[31m\\u{202E}'")
  }
}
