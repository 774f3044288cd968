/// What kind of file a recording is.
public enum RecordingFormat: String, CaseIterable, Sendable {
  /// JSON of Chrome, Chromium, Electron and DevTools, and of `run --trace`.
  case chrome
  /// JSON of Flutter's DevTools.
  case flutter
  /// Perfetto's protobuf.
  case perfetto
  /// Text of systrace and atrace, in HTML too.
  case systrace
}
