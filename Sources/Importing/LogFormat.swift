/// The formats of frame logs that are read.
public enum LogFormat: String, CaseIterable, Sendable {
  case presentMon = "PresentMon"
  case mangoHud = "MangoHud"
  case capFrameX = "CapFrameX"
  case frameStats = "gfxinfo framestats"
  case chromeTrace = "Chrome trace"
  case frameTimeline = "Perfetto FrameTimeline"
  case frames = "framebudget frames"
  case timestamps = "timestamp CSV"

  /// What an unknown log could have been.
  public static var known: String {
    """
    PresentMon (1, 2, current), MangoHud, CapFrameX JSON, Android gfxinfo framestats, Chrome trace \
    JSON, Perfetto's FrameTimeline, framebudget --frames, or a CSV with a column 'timestamp'
    """
  }
}
