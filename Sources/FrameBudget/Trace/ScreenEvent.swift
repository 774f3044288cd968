/// What a trace calls what happens on the screen: by the names that Chrome's compositor uses and other readers know.
package enum ScreenEvent: String, Sendable {
  /// The project's own.
  case vsync
  case begin = "BeginFrame"
  case draw = "DrawFrame"
  case drop = "DroppedFrame"

  /// What it says of itself.
  package enum Argument: String, Sendable {
    case frame = "frameSeqId"
    case vsync
  }
}
