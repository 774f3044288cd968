import Testing

@testable import FrameBudgetCLI

struct `Varying in virtual time` {
  private let flags = ["run", "-", "--engine", "virtual", "--format", "csv"]
  private let path = "workloads.add-file.arrival.once"

  @Test func `on all cores gives what one run after the other gives`() throws {
    let input = ShortScenario.text
    // More than a batch, so that batches follow one another too.
    let together = try Performed(flags + ["--vary", "\(path)=1..70"], input: input)
    #expect(together.status == .success)
    var lines: [Substring] = []
    for value in 1...70 {
      let alone = try Performed(flags + ["--vary", "\(path)=\(value)"], input: input)
      lines += alone.output.split(separator: "\n").dropFirst(value == 1 ? 0 : 1)
    }
    #expect(together.output.split(separator: "\n") == lines)
  }
}
