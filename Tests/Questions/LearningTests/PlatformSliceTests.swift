import FrameBudget
import FrameBudgetCaptures
import Testing

@testable import FrameBudgetLearning

struct PlatformSliceTests {
  /// A page whose late frame ran Chromium's own functions, a measure called like one, and a measure.
  private var recording: Recording {
    var recording = Recording.hashing
    let names = [
      // In this order, because the first of three calls ends before its frame is late.
      "ProxyMain::BeginMainFrame::commit", "LocalFrameView::RunPaintLifecyclePhase", "Api::load",
    ]
    recording.ownNames = ["Api::load"]
    let begin = recording.names.count
    recording.names += names
    let hashes = recording.threads[0].slices.indices.filter {
      recording.names[Int(recording.threads[0].slices[$0].name)].hasPrefix("hash")
    }
    for (place, index) in hashes.enumerated() {
      recording.threads[0].slices[index].name = Int32(begin + place % names.count)
    }
    return recording
  }

  @Test
  func `Chromium's own functions are services that nothing moves, but a page's measures are not`()
    throws
  {
    let learned = try #require(LearnedScenario(recording, name: "page", source: "page.json"))
    let movable = learned.choice.names.indices.filter { !learned.choice.stays($0) }
    #expect(learned.choice.names.contains("LocalFrameView-RunPaintLifecyclePhase"))
    #expect(movable.map { learned.choice.names[$0] }.contains("Api-load"))
    #expect(!movable.contains { learned.choice.names[$0].contains("LocalFrameView") })
    #expect(!movable.contains { learned.choice.names[$0].contains("ProxyMain") })
  }

  @Test(arguments: [
    "ProxyMain::BeginMainFrame", "LayerTreeHost::WaitForCommitCompletion", "auto cc::X::Y()::f",
    "SingleThreadIdleTaskRunner::RunTask", "TimerBase::run", "Blink.Paint.UpdateTime",
    "FunctionCall",
  ])
  func `names of Chromium's functions and scopes are the platform's`(_ name: String) {
    #expect(PlatformRules(.chrome).names(name))
  }

  @Test(arguments: ["hash", "load photos", "render (list.js:12)", "12::3", "a b::c", "::", "std::"])
  func `names of a page are not`(_ name: String) {
    #expect(!PlatformRules(.chrome).names(name))
  }

  @Test func `functions of an app on other platforms are the app's`() {
    #expect(!PlatformRules(.perfetto).names("Catalogue::insert"))
    #expect(!PlatformRules(.flutter).names("Catalogue::insert"))
  }
}
