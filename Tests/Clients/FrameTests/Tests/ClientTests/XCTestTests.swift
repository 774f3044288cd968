import FrameBudgetTesting
import XCTest

@testable import Client

final class XCTestFrameTests: XCTestCase {
  @MainActor
  func testPhotosAreAddedBetweenFrames() async throws {
    let catalogue = Catalogue()
    let report = try await measureFrames(for: .milliseconds(300)) { app in
      app.frame { _ = catalogue.visible }
      app.workload("add", .every(.milliseconds(20))) { catalogue.add($0) }
    }
    XCTAssertNotEqual(report.verdict(.droppedFrames, atMost: 0), .missed)
    // A busy machine may leave some of the 15 for later.
    XCTAssert((1...15).contains(report.closures[0].items), "\(report)")
    XCTAssert(report.test.hasPrefix("testPhotos"))
  }
}
