package import FrameBudget

/// The file format of a recording.
public enum RecordingFormat: String, CaseIterable, Sendable {
  /// JSON of Chrome, Chromium, Electron and DevTools.
  case chrome
  /// JSON of Flutter's DevTools.
  case flutter
  /// Perfetto's protobuf.
  case perfetto
  /// Text of systrace and atrace, in HTML too.
  case systrace
  /// XML of Instruments' `xctrace export`.
  case instruments
  /// Text of ftrace with probes on a client of Wayland.
  case wayland
  /// JSON of Firefox's profiler.
  case firefox
  /// Captures of sysprof with the marks of GTK.
  case sysprof
  /// JSON of the project's own `run --trace`.
  case framebudget

  /// The platform whose tools record such files; nil if it may be any, or none whose rules are known.
  package var platform: ScreenPlatform? {
    switch self {
    case .chrome: .chrome
    case .flutter: .flutter
    case .perfetto, .systrace: .android
    case .instruments: .ios
    case .firefox: .firefox
    case .wayland, .sysprof, .framebudget: nil
    }
  }

  /// The usual name of such a file.
  public var title: String {
    self == .framebudget
      ? "framebudget trace"
      : "recording of \(rawValue.prefix(1).uppercased() + rawValue.dropFirst())"
  }
}
