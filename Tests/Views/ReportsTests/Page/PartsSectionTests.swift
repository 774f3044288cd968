import FrameBudget
import Testing

@testable import FrameBudgetReports

struct PartsSectionTests {
  /// Four frames, the third of which takes 40 ms and drops two vsyncs; `bind` takes 30 ms of it, `measure` 1 ms of each.
  private func page(hasParts: Bool) throws -> String {
    var run = try Pages.recorded()[0]
    run.frames = run.frames.map { frame in
      let bind = FramePartTime(name: "bind", span: .milliseconds(frame.dropped > 0 ? 30 : 0))
      let measure = FramePartTime(name: "measure", span: .milliseconds(1))
      return FrameRecord(
        beginVsync: frame.beginVsync, presentVsync: frame.presentVsync, begin: frame.begin,
        workEnd: frame.workEnd, dropped: frame.dropped, cause: frame.cause, items: 0, queueDepth: 0,
        spans: frame.spans, parts: hasParts ? [measure, bind] : [])
    }
    return try ReportPage(title: "t", results: ResultSet(rows: [], metrics: []), frames: [run])
      .html()
  }

  @Test func `parts of drawing are listed with their time, frames and drops`() throws {
    let html = try page(hasParts: true)
    #expect(html.contains("<h2>Parts of drawing</h2>"), "\(html)")
    let bind = try #require(
      html.firstRange(of: "<b>30 ms</b> in 1 frame <small>in 2 of 2 dropped</small>"))
    let measure = try #require(
      html.firstRange(of: "<b>4 ms</b> in 4 frames <small>in 2 of 2 dropped</small>"))
    #expect(bind.lowerBound < measure.lowerBound)
    #expect(html.contains("with its time in all of 4 frames, 2 vsyncs dropped. A part in"))
    // Red is for problems; a part need not be one.
    #expect(html.contains("<i class=\"k-drawing\"") && !html.contains("<i class=\"adding\""))
  }

  @Test func `drawing without parts has no such list`() throws {
    #expect(!(try page(hasParts: false)).contains("Parts of drawing"))
  }
}
