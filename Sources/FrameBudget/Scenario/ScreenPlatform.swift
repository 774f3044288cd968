/// Systems whose way of getting frames to the screen is documented: what a display is like there, all but its rate and what
/// drawing and the second stage take, which are the device's and the app's.
public enum ScreenPlatform: String, CaseIterable, Sendable {
  /// Core Animation and its render server.
  case ios
  /// Choreographer, RenderThread and BufferQueue.
  case android
  /// The renderer's main thread and its compositor.
  case chrome
  /// The UI thread and the raster thread.
  case flutter

  /// How long a frame may take there, and how many may be under way.
  public var pipeline: Pipeline {
    switch self {
    // A buffer on the screen, one with the compositor and one with the app.
    case .android: Pipeline(deadline: 2, buffers: 3)
    // A frame with the main thread and one behind it.
    case .ios, .chrome, .flutter: Pipeline(deadline: 2, buffers: 2)
    }
  }

  /// What its main loop takes up, and which vsync a frame that had to wait belongs to.
  public var mainLoop: MainLoop {
    .events(MainLoop.Events(frameTime: self == .chrome ? .posted : .newest))
  }

  /// All of them draw only what somebody asks for.
  public var frames: FrameDemand { .onDemand(at: []) }
}
