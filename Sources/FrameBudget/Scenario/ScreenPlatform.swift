/// How frames get from the main thread to the screen: how long they may take, how many may be under way at once, and
/// what is done to them behind the main thread.
///
/// The simplest, which is the default: a frame is to be shown at the vsync after its begin, and only then the next one begins.
public struct Pipeline: Hashable, Sendable {
  /// Periods from a frame's begin to the vsync that is to show it; within `deadlines`.
  public var deadline: Int
  /// Frames begun and not yet shown, at most: from `deadline` up to `mostBuffers`.
  public var buffers: Int
  /// The second stage: what a frame takes behind the main thread, on a thread of its own. Frames go through it one after
  /// the other.
  public var compositor: DurationDistribution

  /// - Parameters:
  ///   - deadline: periods from a frame's begin to the vsync that is to show it.
  ///   - buffers: frames begun and not yet shown, at most; as many as `deadline` unless given.
  ///   - compositor: what the second stage takes; `.none` where there is none.
  public init(deadline: Int = 1, buffers: Int? = nil, compositor: DurationDistribution = .none) {
    self.deadline = deadline
    self.buffers = buffers ?? deadline
    self.compositor = compositor
  }

  /// How many periods a deadline may be away.
  public static let deadlines = 1...4
  /// More buffers than any system has.
  public static let mostBuffers = 8

  /// Whether a frame is shown at the vsync behind its own, with nothing between.
  public var isPlain: Bool { buffers == 1 && !hasSecondStage }

  /// Whether frames go through a second stage.
  public var hasSecondStage: Bool { compositor != .none }
}

/// Systems whose way of getting frames to the screen is documented: what a display is like there, all but its rate and what
/// drawing and the second stage take, which are the device's and the app's.
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

  /// How long a frame may take there, and how many may be under way.
  public var pipeline: Pipeline {
    switch self {
    // A buffer on the screen, one with the compositor and one with the app.
    case .android: Pipeline(deadline: 2, buffers: 3)
    // A frame with the main thread and one behind it.
    case .ios, .macos, .chrome, .flutter, .gtk, .qt: Pipeline(deadline: 2, buffers: 2)
    }
  }

  /// What its main loop runs, and the vsync of a frame that had to wait.
  public var mainLoop: MainLoop {
    switch self {
    case .ios, .macos: .events(.foundation)
    // A barrier holds messages back while a frame is due; the Dart event loop is paused while one is.
    case .android, .flutter: .events(MainLoop.Events())
    // The compositor's task queue has the same priority as the others, unless the user scrolls or frames starve.
    case .chrome: .events(MainLoop.Events(order: .fifo, frameTime: .posted))
    // The frame clock goes before idle sources, which are all dispatched that were ready.
    case .gtk: .events(MainLoop.Events(batch: .queued))
    // All events that were posted are sent before timers and sockets are looked at, each time round.
    case .qt: .events(MainLoop.Events(order: .alternate, batch: .queued))
    }
  }

  /// All of them draw on demand.
  public var frames: FrameDemand { .onDemand(at: []) }
}
