import Foundation
import TestSupport
import Testing

@Suite struct PrinterDemoTests {
  private func run(_ input: String) throws -> String {
    let process = Process()
    process.executableURL = Project.products.appendingPathComponent("PrinterDemo")
    let (stdin, stdout) = (Pipe(), Pipe())
    process.standardInput = stdin
    process.standardOutput = stdout
    try process.run()
    try stdin.fileHandleForWriting.write(contentsOf: Data(input.utf8))
    try stdin.fileHandleForWriting.close()
    let output = try stdout.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    return String(decoding: output, as: UTF8.self)
  }

  @Test func `lines are printed in order, with the options at their turn`() throws {
    let output = try run("one\nu\ntwo\nn\nthree\nq\nfour\n")
    #expect(output == "1: one\n2: TWO\nTHREE\n3 lines printed\n")
  }

  @Test func `the end of the input ends the demo, and nothing is lost`() throws {
    let lines = (1...500).map { "line \($0)" }
    let output = try run(lines.joined(separator: "\n"))
    let expected = lines.enumerated().map { "\($0 + 1): \($1)" } + ["500 lines printed", ""]
    #expect(output == expected.joined(separator: "\n"))
  }
}
