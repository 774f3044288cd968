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

  /// What its main loop takes up, and which vsync a frame that had to wait belongs to.
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

  /// All of them draw only what somebody asks for.
  public var frames: FrameDemand { .onDemand(at: []) }
}
