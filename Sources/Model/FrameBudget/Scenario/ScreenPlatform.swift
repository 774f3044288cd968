/// How frames get from the main thread to the screen: their deadline, the number of buffers, and the second stage.
///
/// The default is the simplest: a frame should be shown at the vsync after its start, and the next one begins only then.
public struct Pipeline: Hashable, Sendable {
  /// Periods from a frame's begin to the vsync that should show it; within `deadlines`.
  public var deadline: Int
  /// The most frames that have begun and are not shown yet: from `deadline` up to `maxBuffers`.
  public var buffers: Int
  /// The duration of the second stage, which runs after the main thread. Frames pass through it one after the other.
  public var compositor: DurationDistribution
  /// Whether the second stage is a device that takes no core, rather than a thread.
  public var usesGPU: Bool

  /// - Parameters:
  ///   - deadline: periods from a frame's begin to the vsync that should show it.
  ///   - buffers: the most frames that have begun and are not shown yet; by default `deadline`.
  ///   - compositor: the duration of the second stage; `.none` means that there is no such stage.
  ///   - usesGPU: whether the second stage takes no core.
  public init(
    deadline: Int = 1, buffers: Int? = nil, compositor: DurationDistribution = .none,
    usesGPU: Bool = false
  ) {
    self.deadline = deadline
    self.buffers = buffers ?? deadline
    (self.compositor, self.usesGPU) = (compositor, usesGPU)
  }

  /// The range of deadlines, in periods.
  public static let deadlines = 1...4
  /// The limit for buffers, above that of any system.
  public static let maxBuffers = 8

  /// Whether a screen may have this deadline and so many buffers.
  package var isAllowed: Bool {
    Self.deadlines.contains(deadline) && buffers <= Self.maxBuffers
  }

  /// Whether a frame is shown at the vsync after its own, without a second stage or more buffers.
  public var isPlain: Bool { buffers == 1 && !hasSecondStage }

  /// Whether frames go through a second stage.
  public var hasSecondStage: Bool { compositor != .none }

  /// Whether the second stage is a thread, which needs a core.
  public var hasStageThread: Bool { hasSecondStage && !usesGPU }
}

extension Display {
  /// The same with frames that are due this many periods later, in as many more buffers.
  package func presenting(later periods: Int) -> Display {
    var display = self
    display.pipeline.deadline += periods
    display.pipeline.buffers += periods
    return display
  }
}

/// Platforms with documented frame pipelines. They determine all properties of a display except its rate and the durations of
/// drawing and the second stage, which depend on the device and the app.
public enum ScreenPlatform: String, CaseIterable, Sendable {
  /// Core Animation and its render server, behind CFRunLoop and libdispatch.
  case ios
  /// The same on a Mac.
  case macos
  /// Choreographer, RenderThread and BufferQueue.
  case android
  /// The renderer's main thread and its compositor.
  case chrome
  /// The UI thread and the raster thread.
  case flutter
  /// GTK's frame clock in GLib's main loop.
  case gtk
  /// Qt Quick's GUI thread and render thread, behind Qt's event dispatcher.
  case qt
  /// Firefox's content process.
  case firefox

  /// The deadline and the number of buffers.
  public var pipeline: Pipeline {
    switch self {
    // A buffer on the screen, one with the compositor and one with the app.
    case .android: Pipeline(deadline: 2, buffers: 3)
    // A frame on the main thread and one in the second stage.
    case .ios, .macos, .chrome, .flutter, .gtk, .qt: Pipeline(deadline: 2, buffers: 2)
    // The compositor is told of a frame at the end of its work, and shows it at the next vsync.
    case .firefox: Pipeline(deadline: 1, buffers: 1)
    }
  }

  /// The kind of the main loop, and the vsync of a frame that had to wait.
  public var mainLoop: MainLoop {
    switch self {
    case .ios, .macos: .events(.foundation)
    // A barrier holds messages back while a frame is due; the Dart event loop is paused during a frame; a vsync has a priority
    // of its own.
    case .android, .flutter, .firefox: .events(MainLoop.Events())
    // The compositor's task queue has the same priority as the others, unless the user scrolls or frames starve.
    case .chrome: .events(MainLoop.Events(order: .fifo, frameTime: .posted))
    // The frame clock goes before idle sources, which are dispatched together if they are ready.
    case .gtk: .events(MainLoop.Events(batch: .queued))
    // In each iteration, all posted events are sent before timers and sockets are checked.
    case .qt: .events(MainLoop.Events(order: .alternate, batch: .queued))
    }
  }

  /// All of them draw on demand.
  public var frames: FrameDemand { .onDemand(at: []) }
}
