import Foundation
import FrameBudgetReports
import TestSupport
import Testing

@testable import FrameBudgetReference

@Suite struct MeasurementsTableTests {
  private static let published = Result {
    try SpeedFigure.published(in: Project.folder.path(percentEncoded: false))
  }

  @Test func `every published figure is on the page`() throws {
    let figures = try Self.published.get()
    let page = MeasurementsTable(figures, agreement: "1 of 2").markdown
    for place in figures.indices {
      var changed = figures
      changed[place].value += 1000
      #expect(
        MeasurementsTable(changed, agreement: "1 of 2").markdown != page,
        "\(figures[place].name) is on no page")
    }
  }

  @Test func `a question whose figures are not all published is left out`() throws {
    let figures = try Self.published.get()
    let rows = MeasurementsTable(figures, agreement: "1 of 2").markdown.split(separator: "\n")
    let fewer = MeasurementsTable(
      figures.filter { $0.name != "cyclictest-p99" }, agreement: "1 of 2")
    let left = fewer.markdown.split(separator: "\n")
    #expect(rows.count == left.count + 1)
    #expect(!fewer.markdown.contains("wake") && !fewer.markdown.contains("{"))
  }

  @Test func `a figure has the digits that the answer asks for`() {
    let figures = [SpeedFigure("step-p50", 2.60031, "ms"), SpeedFigure("step-p99", 2.6, "ms")]
    let page = MeasurementsTable(figures, agreement: "1 of 2").markdown
    #expect(page.contains("took 2.6003 ms of processor time at p50 and 2.6 ms at p99"))
    #expect(page.contains("1 of 2 rows"))
  }
}
