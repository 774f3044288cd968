import FrameBudget
import FrameBudgetScenarios
import Testing

/// The pipeline of frames, as files state it.
struct DisplayTests {
  private static func display(
    _ text: String, recorded: [TimeSpan] = [.zero]
  ) throws -> Display {
    let text = Minimal.text.replacing(
      "display: {refresh: 60 Hz}", with: "display: {refresh: 60 Hz, \(text)}")
    let durations = try #require(RecordedDurations(recorded))
    return try ScenarioFile.parse(Array(text.utf8), file: "a.yaml") { _, _ in durations }.display
  }

  @Test func `a frame is to be shown at the next vsync unless the file says otherwise`() throws {
    let display = try Self.display("render: 1 ms")
    #expect(display.pipeline == Pipeline(deadline: 1, buffers: 1))
    #expect(display.frames == .always && display.mainLoop == .frame)
  }

  @Test func `a display knows whose it is like`() throws {
    #expect(try Self.display("render: 1 ms").platform == nil)
    for platform in ScreenPlatform.allCases {
      #expect(try Self.display("like: \(platform)").platform == platform)
    }
  }

  @Test func `there are as many buffers as the deadline has periods unless said otherwise`() throws
  {
    #expect(try Self.display("deadline: 3").pipeline == Pipeline(deadline: 3, buffers: 3))
    #expect(
      try Self.display("deadline: 2, buffers: 4, compositor: 3 ms").pipeline
        == Pipeline(deadline: 2, buffers: 4, compositor: .constant(.milliseconds(3))))
    #expect(
      try Self.display("deadline: 2, gpu: 3 ms").pipeline
        == Pipeline(deadline: 2, compositor: .constant(.milliseconds(3)), usesGPU: true))
  }

  @Test func `a loop of events has an order and a frame time`() throws {
    #expect(try Self.display("main-loop: events").mainLoop == .events(MainLoop.Events()))
    #expect(
      try Self.display("main-loop: {events: fifo}, frame-time: posted").mainLoop
        == .events(MainLoop.Events(order: .fifo, frameTime: .posted)))
  }

  @Test(arguments: MainLoop.Events.Order.allCases, MainLoop.Events.Batch.allCases)
  func `a loop of events is read in each spelling`(
    order: MainLoop.Events.Order, batch: MainLoop.Events.Batch
  ) throws {
    let loop = MainLoop.Events(order: order, batch: batch)
    #expect(try Self.display("main-loop: \(loop)").mainLoop == .events(loop))
    let spelt = "{events: \(order.rawValue), batch: \(batch.rawValue)}"
    #expect(try Self.display("main-loop: \(spelt)").mainLoop == .events(loop))
  }

  @Test func `a loop of events states how long tasks wait for a frame behind an input`() throws {
    let loop = MainLoop.Events(order: .fifo, deferral: .milliseconds(50))
    #expect(try Self.display("main-loop: \(loop)").mainLoop == .events(loop))
    #expect("\(loop)" == "{events: fifo, defer-after-input: 50 ms}")
    #expect(
      try Self.display("main-loop: {events: first, batch: one, defer-after-input: 1 s}").mainLoop
        == .events(MainLoop.Events(deferral: .seconds(1))))
    #expect(
      "\(MainLoop.Events(deferral: .seconds(1)))" == "{events: first, defer-after-input: 1 s}")
  }

  @Test func `a batch is one event unless the file says otherwise, beside a platform too`() throws {
    #expect(
      try Self.display("like: ios, main-loop: {events: alternate}").mainLoop
        == .events(MainLoop.Events(order: .alternate)))
    #expect(try Self.display("like: ios, main-loop: events").mainLoop == .events(MainLoop.Events()))
  }

  @Test func `instants at which a frame is wanted are in the file or in another one`() throws {
    let instants: [TimeSpan] = [.milliseconds(20), .milliseconds(300)]
    #expect(
      try Self.display("main-loop: events, frames: {on-demand: [300 ms, 20 ms]}").frames
        == .onDemand(at: instants))
    #expect(
      try Self.display(
        "main-loop: events, frames: {on-demand: {recorded: log.csv, column: at_ms}}",
        recorded: instants
      ).frames == .onDemand(at: instants))
  }

  // MARK: Platforms

  private static let platforms: [(ScreenPlatform, Pipeline, MainLoop.Events)] = [
    (.ios, .init(deadline: 2), .init(order: .alternate, batch: .queued)),
    (.macos, .init(deadline: 2), .init(order: .alternate, batch: .queued)),
    (.android, .init(deadline: 2, buffers: 3), .init()),
    (.chrome, .init(deadline: 2), .init(order: .fifo, frameTime: .posted)),
    (.flutter, .init(deadline: 2), .init()), (.gtk, .init(deadline: 2), .init(batch: .queued)),
    (.qt, .init(deadline: 2), .init(order: .alternate, batch: .queued)),
    (.firefox, .init(deadline: 1), .init()),
  ]

  @Test func `each platform has its line`() {
    #expect(Self.platforms.map(\.0) == ScreenPlatform.allCases)
  }

  @Test(arguments: platforms)
  func `a platform is a pipeline and a loop of events that draws on demand`(
    platform: ScreenPlatform, pipeline: Pipeline, loop: MainLoop.Events
  ) throws {
    let display = try Self.display("render: 4 ms, compositor: 3 ms, like: \(platform)")
    #expect(display.render == .constant(.milliseconds(4)))
    var staged = pipeline
    staged.compositor = .constant(.milliseconds(3))
    #expect(display.pipeline == staged)
    #expect(display.mainLoop == .events(loop))
    #expect(display.frames == .onDemand(at: []))
  }

  @Test func `keys beside a platform override it`() throws {
    let display = try Self.display("like: android, frames: always, frame-time: posted, buffers: 4")
    #expect(display.pipeline == Pipeline(deadline: 2, buffers: 4))
    #expect(display.frames == .always)
    #expect(display.mainLoop == .events(MainLoop.Events(frameTime: .posted)))
    #expect(
      try Self.display("like: ios, deadline: 3").pipeline == Pipeline(deadline: 3, buffers: 3))
    #expect(
      try Self.display("like: chrome, main-loop: {events: fifo}").mainLoop
        == .events(MainLoop.Events(order: .fifo, frameTime: .posted)))
  }
}
