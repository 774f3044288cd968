import FrameBudget
import TestSupport
import Testing

@testable import FrameBudgetScenarios

/// Every file in `Broken` has one fault. The file beside it has the exact expected error.
struct BrokenFileTests {
  @Test(arguments: try Folder.broken.names(ending: ".yaml"))
  func `a broken file gives exactly the error beside it`(name: String) throws {
    let error = try #require(throws: ScenarioError.self) {
      try ScenarioFile.parse(try Folder.broken.bytes(of: name), file: name)
    }
    try Golden.expect("\(error)\n", name.replacing(".yaml", with: ".error"), in: "Broken")
  }

  @Test func `every error belongs to a file`() throws {
    let files = try Folder.broken.names(ending: ".yaml").map { $0.dropLast(".yaml".count) }
    let errors = try Folder.broken.names(ending: ".error").map { $0.dropLast(".error".count) }
    #expect(files == errors)
    #expect(files.count >= 40)
  }
}
