import ArgumentParser
import Foundation
import TestSupport
import Testing

@testable import FrameBudgetCLI

@Suite struct `The manual` {
  private func page(_ name: String) throws -> String {
    try #require(try MakeManualCommand.pages().first { $0.name == name }?.text)
  }

  @Test func `has a page for the tool and one for each command that people type`() throws {
    let names = try MakeManualCommand.pages().map(\.name)
    #expect(names.first == "framebudget")
    let shown = FrameBudgetTool.configuration.subcommands.map { $0.configuration }
      .filter { $0.shouldDisplay }.compactMap { $0.commandName }
    #expect(names.dropFirst() == shown.map { "framebudget-\($0)" }[...])
    #expect(!names.contains("framebudget-make-manual"))
  }

  @Test func `shows each option as it is typed, with its default`() throws {
    let page = try page("framebudget-make-files")
    #expect(
      page.contains(
        ".TP\n\\fB\\-\\-size\\fP \\fIsize\\fP\nThe size of each file, such as '1 MB'.\nDefault: 1 MB.\n"
      ))
    #expect(page.contains(".SH EXAMPLES\n.nf\n.RS\nframebudget make\\-files photos && "))
    #expect(page.contains(".B 73\nAn output cannot be created; existing files are"))
  }

  @Test func `says what each flag does that turns another one off`() throws {
    let pages = try MakeManualCommand.pages().map(\.text).joined()
    let entries = pages.split(separator: ".TP\n").filter { $0.hasPrefix("\\fB\\-\\-no\\-") }
    #expect(entries.count >= 3)
    for entry in entries { #expect(!entry.contains("The opposite of"), "\(entry)") }
    #expect(
      pages.contains("\\fB\\-\\-no\\-mouse\\fP\nLeave the mouse to the terminal, to select text.\n")
    )
  }

  @Test func `is read by man without a complaint`() throws {
    let scratch = try Scratch()
    for page in try MakeManualCommand.pages() {
      try scratch.write(page.text, to: "\(page.name).1")
      let file = scratch.path("\(page.name).1")
      let groff = ["groff", "-K", "utf8", "-man", "-Tutf8", "-ww", "-z", file]
      guard let said = try output(of: groff) else { return }
      #expect(said == "", "\(page.name)")
    }
  }

  @Test func `comes with completions for three shells, whole or not at all`() throws {
    let scratch = try Scratch()
    let folder = scratch.path("manual")
    #expect(try Performed("make-manual", folder).status == .success)
    #expect(try Performed("make-manual", folder).status == .cannotCreate)
    let offered = [
      "bash": "source framebudget.bash; COMP_WORDS=(framebudget lim) COMP_CWORD=1; "
        + "_framebudget framebudget lim framebudget; echo ${COMPREPLY[@]}",
      "zsh": "autoload -U compinit; compinit -u -D; fpath=(. $fpath); autoload -U _framebudget; "
        + "whence -v _framebudget | grep -o framebudget; grep -o 'limit:' _framebudget | tr -d :",
      "fish": "source framebudget.fish; complete --do-complete 'framebudget lim'",
    ]
    for (shell, script) in offered.sorted(by: { $0.key < $1.key }) {
      let said = try output(of: [shell, "-c", "cd \(folder); \(script)"])
      #expect(said?.contains("limit") != false, "\(shell): \(said ?? "")")
    }
  }

  /// Both outputs of a program; nil, with a note, if it is not installed.
  private func output(of command: [String]) throws -> String? {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = command
    let output = Pipe()
    (process.standardOutput, process.standardError) = (output, output)
    try process.run()
    let said = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    guard process.terminationStatus != 127 else {
      print("skipped: there is no \(command[0])")
      return nil
    }
    return String(decoding: said, as: UTF8.self)
  }
}
