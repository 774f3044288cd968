import Foundation
import FrameBudgetParsing
import TestSupport
import Testing

@testable import FrameBudgetReports

@Suite struct SpeedFigureTests {
  @Test(arguments: [
    (90.0, false), (67, false), (66, true), (133, false), (134, true), (0, true), (300, true),
  ])
  func `a figure contradicts a published one from a third on`(_ value: Double, _ isOff: Bool) {
    let published = SpeedFigure("start", 100, "ms")
    #expect(SpeedFigure("start", value, "ms").contradicts(published) == isOff)
  }

  @Test func `a figure in another unit contradicts`() {
    #expect(SpeedFigure("start", 4, "ms").contradicts(SpeedFigure("start", 4, "s")))
  }

  @Test func `nothing contradicts a published 0 but more`() {
    let none = SpeedFigure("memory", 0, "bytes")
    #expect(!none.contradicts(none) && SpeedFigure("memory", 1, "bytes").contradicts(none))
  }

  @Test func `the published figures are written as they are read`() throws {
    let folder = Project.folder.path(percentEncoded: false)
    let figures = try SpeedFigure.published(in: folder)
    #expect(!figures.isEmpty)
    #expect(try Project.text("results/measured/speeds.csv") == SpeedFigure.csv(figures))
  }

  @Test func `a figure is a text with its unit, and with more digits if asked for`() {
    let figure = SpeedFigure("step", 2.6003, "ms")
    #expect(figure.text() == "2.6 ms" && figure.text(decimals: 4) == "2.6003 ms")
  }

  @Test(arguments: [
    ("schema,figure,value,unit\n1,a,1,ms\n1,a,2,ms\n", "figure 'a' occurs twice"),
    ("schema,figure,value,unit\n1,,1,ms\n", "figure '' has no name, or is below 0"),
    ("schema,figure,value,unit\n1,a,-1,ms\n", "figure 'a' has no name, or is below 0"),
    ("schema,figure,value,unit\n1,a,fast,ms\n", "'fast' in column value is not a number"),
    ("schema,figure,value\n1,a,1\n", "it has no column 'unit'"),
  ])
  func `a table that is wrong says where`(_ text: String, _ reason: String) throws {
    let error = #expect(throws: InputError.self) {
      try SpeedFigure.figures(ByteSource(Array(text.utf8), name: "speeds.csv"))
    }
    #expect(error?.description.contains(reason) == true, "\(error?.description ?? "")")
  }
}
