import Foundation
import FrameBudget
import Testing

@testable import Scenarios

/// Every file in `Broken` has one fault, and beside it the error that it must give, to the byte.
///
/// `REWRITE_GOLDEN=1 swift test --filter BrokenFileTests` writes them anew; the diff is the review.
struct BrokenFileTests {
  @Test(arguments: try Folder.broken.names(ending: ".yaml"))
  func `a broken file gives exactly the error beside it`(name: String) throws {
    let error = try #require(throws: ScenarioError.self) {
      try ScenarioFile.parse(try Folder.broken.bytes(of: name), file: name)
    }
    let golden = name.replacing(".yaml", with: ".error")
    if ProcessInfo.processInfo.environment["REWRITE_GOLDEN"] != nil {
      try Folder.broken.write("\(error)\n", to: golden)
    }
    #expect("\(error)\n" == String(decoding: try Folder.broken.bytes(of: golden), as: UTF8.self))
  }

  @Test func `every error belongs to a file`() throws {
    let files = try Folder.broken.names(ending: ".yaml").map { $0.dropLast(".yaml".count) }
    let errors = try Folder.broken.names(ending: ".error").map { $0.dropLast(".error".count) }
    #expect(files == errors)
    #expect(files.count >= 40)
  }
}
