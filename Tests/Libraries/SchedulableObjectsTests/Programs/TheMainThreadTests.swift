import TestSupport
import Testing

@Suite(.serialized) struct `The page on the main thread` {
  /// Slow: starts the compiler for each program.
  @Test func `shows programs that run as written and print what it says`() throws {
    let blocks = try Page("TheMainThread").blocks
    let programs = blocks.indices.filter { blocks[$0].language == "swift" }
    #expect(programs.count == 4)
    for index in programs {
      let outcome = try SnippetCompiler.runProgram(blocks[index].text)
      #expect(outcome.status == 0, "\(outcome.output)")
      let next = blocks.indices.contains(index + 1) ? blocks[index + 1] : nil
      if let next, next.language == "text" {
        #expect(outcome.output == next.text)
      } else {
        // The one whose event and task have no order between them.
        #expect(
          outcome.output.split(separator: "\n").sorted()
            == ["a result", "a task on the main actor", "over"].sorted())
      }
    }
  }
}
