import ArgumentParser
import Foundation
import TestSupport
import Testing

@testable import FrameBudgetCLI

/// Documentation/Output.md against what the commands declare, which is also what their help says.
@Suite struct `The page of exit statuses` {
  /// The cells of the lines of its tables, without marks of code.
  private static func rows() throws -> [[String]] {
    let page = try Project.text(CommandOutcomes.page)
    let end = try #require(page.firstRange(of: "## JSON")).lowerBound
    return page[..<end].split(separator: "\n").filter { $0.hasPrefix("| ") }.map { line in
      line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
    }
  }

  private static let commands = FrameBudgetTool.configuration.subcommands.compactMap {
    $0 as? any ToolCommand.Type
  }

  @Test func `has a line for each status`() throws {
    let numbers = try Self.rows().flatMap { cells in
      cells[0].split(separator: ", ").map { Int32($0) }
    }.compactMap(\.self)
    #expect(numbers.sorted() == ExitStatus.allCases.map(\.rawValue).sorted())
  }

  @Test func `has the outcomes of each command, in the words of its help`() throws {
    var found: [String: [String]] = [:]
    for cells in try Self.rows() {
      for form in cells[0].split(separator: "`, `") {
        found[String(form.replacing("`", with: ""))] = Array(cells.dropFirst())
      }
    }
    let declared = Self.commands.flatMap { $0.outcomes }
    for outcomes in declared {
      let words = [outcomes.success, outcomes.failed ?? "", outcomes.inconclusive ?? ""]
      let cells = (found[outcomes.form] ?? []) + ["", "", ""]
      #expect(Array(cells.prefix(3)) == words, "\(outcomes.form)")
    }
  }

  /// A command that can end with 1 or 2 says in its help when, and where the page is.
  @Test func `is named by the help of each command that has outcomes`() throws {
    #expect(CommandHelp.tool.discussion?.contains(CommandOutcomes.page) == true)
    for command in Self.commands where !command.outcomes.isEmpty {
      let help = command.configuration.discussion
      #expect(help.contains(command.outcomes[0].sentence), "\(command)")
      #expect(help.contains(CommandOutcomes.page), "\(command)")
    }
  }

  /// The statuses that the sources of a command return are among those that it declares.
  @Test func `declares every outcome that a command returns`() throws {
    let folder = Project.folder.appending(path: "Sources/Command/Tool/Commands")
    for command in Self.commands {
      let file = folder.appending(path: "\(command).swift")
      guard let text = try? String(contentsOf: file, encoding: .utf8) else { continue }
      let declared = command.outcomes
      if text.contains(/[ (]\.failed\b/) {
        #expect(declared.contains { $0.failed != nil }, "\(command) returns 1")
      }
      if text.contains(/[ (]\.inconclusive\b/) {
        #expect(declared.contains { $0.inconclusive != nil }, "\(command) returns 2")
      }
    }
  }
}
