import FrameBudget
import Testing

@testable import FrameBudgetReference

struct PlatformTableTests {
  @Test func `includes the numbers of the platform's tool that differ from ours`() {
    let differing = PlatformMetric.all.filter { !$0.difference.isEmpty }.map(\.theirs)
    #expect(Set(PlatformTable.theirs.keys) == Set(differing))
  }

  @Test func `has no cell without a number`() throws {
    for line in try PlatformTable().markdown.split(separator: "\n").drop(while: {
      !$0.hasPrefix("| Apple")
    }) {
      let cells = line.replacing("\\|", with: "").split(
        separator: "|", omittingEmptySubsequences: false)
      #expect(!cells[3].allSatisfy { $0 == " " } && !cells[4].allSatisfy { $0 == " " }, "\(line)")
    }
  }
}
