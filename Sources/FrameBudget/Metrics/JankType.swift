/// Why a frame was not on the screen when Android expected it, in the names and bits of Perfetto's FrameTimeline (v57); a
/// frame may have several reasons.
public enum JankType: Int, CaseIterable, Sendable {
  case unspecified = 0
  case none = 1
  case surfaceFlingerScheduling = 2
  case predictionError = 4
  case displayHAL = 8
  case surfaceFlingerCPU = 16
  case surfaceFlingerGPU = 32
  case appDeadline = 64
  case bufferStuffing = 128
  case unknown = 256
  case surfaceFlingerStuffing = 512
  case dropped = 1024
  case nonAnimating = 2048
  case appResyncedJitter = 4096
  case displayNotOn = 8192
  case displayModeChange = 16384
  case displayPowerModeChange = 32768

  /// What Perfetto calls it.
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
    case .displayNotOn: "Display Not On"
    case .displayModeChange: "Display Mode Change In Progress"
    case .displayPowerModeChange: "Display Power Mode Change In Progress"
    }
  }

  /// Whether a frame with the bits `jank` has it.
  public func applies(to jank: UInt64) -> Bool {
    switch self {
    case .unspecified, .none: jank == UInt64(rawValue)
    default: jank & UInt64(rawValue) != 0
    }
  }
}
