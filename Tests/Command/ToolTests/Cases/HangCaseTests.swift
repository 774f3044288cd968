import FrameBudget
import TestSupport
import Testing

@testable import FrameBudgetCLI

/// Responsiveness counts from when something was wanted: the loop was busy before the frame.
struct `a main thread that is blocked` {
  @Test func `for 3.6 s is one severe hang, and none with the save elsewhere`() throws {
    let run = try CaseRun("nested-contexts")
    #expect(run["nested", .hangs] == 1 && run["nested", .severeHangs] == 1)
    #expect(run["nested", .hangTotal] == 3600 && run["nested", .longTasks] == 1)
    #expect(run["sibling", .hangs] == 0 && run["sibling", .severeHangs] == 0)
  }

  @Test(arguments: ScreenPlatform.allCases)
  func `for 3 s is one severe hang and one frozen frame, whatever the loop`(
    platform: ScreenPlatform
  ) throws {
    let run = try CaseRun("hang-under-ios", "--set", "display.like=\(platform.rawValue)")
    for metric in [Metric.hangs, .severeHangs, .frozen, .jank] {
      #expect(run["main-thread", metric] == 1, "\(metric.name)")
    }
    #expect(run["main-thread", .hangTotal] == 3000)
  }

  @Test func `for 90 ms makes frames late from the vsync that they were asked for`() throws {
    let run = try CaseRun("android-messages")
    // Asked for at 16.667 ms, drawn from 95 to 99 ms, due at 50 ms.
    for quantile in [Quantile.p90, .p95, .p99] {
      #expect(run["main-thread", .frameOverrun(quantile)] == 49)
    }
    #expect(run["main-thread", .frameOverrun(.p50)] == -29.333333)
    #expect(run["main-thread", .slowPercent] == 12.5 && run["main-thread", .jank] == 50)
    #expect(run["main-thread", .hangs] == 0 && run["main-thread", .longTasks] == 50)
  }

  @Test func `is the aim of advise`() throws {
    let advise = try Performed(
      "advise", CaseRun.path("nested-contexts"), "--aim", "hangs_severe<=0")
    #expect(advise.output.hasPrefix("Move save"), "\(advise.output)")
  }

  @Test func `is the hang that the page explains`() throws {
    let scratch = try Scratch()
    _ = try Performed(
      "run", CaseRun.path("nested-contexts"), "--engine", "virtual", "-o", scratch.path("out"),
      "--frames", scratch.path("frames.csv"))
    _ = try Performed(
      "report", scratch.path("out"), scratch.path("frames.csv"), "-o", scratch.path("page.html"))
    let page = try #require(scratch.text("page.html"))
    // The child's 300 ms end at 0.8 s, and the labels behind it want the frame of the next vsync. The save ends at 4.4 s.
    #expect(page.contains("the frame that was wanted at 0.817 s was drawn 3.6 s later"))
  }
}
