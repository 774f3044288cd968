/// The reasons why a frame was not on the screen when Android expected it, with the names and bits of Perfetto's FrameTimeline
/// (v58.2); a frame may have several reasons.
public enum JankType: Int, CaseIterable, Sendable {
  /// Perfetto's *Unspecified*.
  case unspecified = 0
  /// Perfetto's *None*.
  case none = 1
  /// Perfetto's *SurfaceFlinger Scheduling*.
  case surfaceFlingerScheduling = 2
  /// Perfetto's *Prediction Error*.
  case predictionError = 4
  /// Perfetto's *Display HAL*.
  case displayHAL = 8
  /// Perfetto's *SurfaceFlinger CPU Deadline Missed*.
  case surfaceFlingerCPU = 16
  /// Perfetto's *SurfaceFlinger GPU Deadline Missed*.
  case surfaceFlingerGPU = 32
  /// Perfetto's *App Deadline Missed*.
  case appDeadline = 64
  /// Perfetto's *Buffer Stuffing*.
  case bufferStuffing = 128
  /// Perfetto's *Unknown Jank*.
  case unknown = 256
  /// Perfetto's *SurfaceFlinger Stuffing*.
  case surfaceFlingerStuffing = 512
  /// Perfetto's *Dropped Frame*.
  case dropped = 1024
  /// Perfetto's *Non Animating*.
  case nonAnimating = 2048
  /// Perfetto's *App Resynced Jitter*.
  case appResyncedJitter = 4096
  /// Perfetto's *Display not ON*.
  case displayNotOn = 8192
  /// Perfetto's *ModeChange in progress*.
  case displayModeChange = 16384
  /// Perfetto's *PowerModeChange in progress*.
  case displayPowerModeChange = 32768

  /// The name in columns: Perfetto's name, or that in its protocol if Perfetto abbreviates it.
  var words: String {
    switch self {
    case .displayModeChange: "display_mode_change_in_progress"
    case .displayPowerModeChange: "display_power_mode_change_in_progress"
    default: title.lowercased().split(separator: " ").joined(separator: "_")
    }
  }

  /// Perfetto's name.
  public var title: String {
    switch self {
    case .unspecified: "Unspecified"
    case .none: "None"
    case .surfaceFlingerScheduling: "SurfaceFlinger Scheduling"
    case .predictionError: "Prediction Error"
    case .displayHAL: "Display HAL"
    case .surfaceFlingerCPU: "SurfaceFlinger CPU Deadline Missed"
    case .surfaceFlingerGPU: "SurfaceFlinger GPU Deadline Missed"
    case .appDeadline: "App Deadline Missed"
    case .bufferStuffing: "Buffer Stuffing"
    case .unknown: "Unknown Jank"
    case .surfaceFlingerStuffing: "SurfaceFlinger Stuffing"
    case .dropped: "Dropped Frame"
    case .nonAnimating: "Non Animating"
    case .appResyncedJitter: "App Resynced Jitter"
    case .displayNotOn: "Display not ON"
    case .displayModeChange: "ModeChange in progress"
    case .displayPowerModeChange: "PowerModeChange in progress"
    }
  }

  /// Whether the bits `jank` of a frame include it.
  public func applies(to jank: UInt64) -> Bool {
    switch self {
    case .unspecified, .none: jank == UInt64(rawValue)
    default: jank & UInt64(rawValue) != 0
    }
  }
}
