internal import FrameBudget
internal import Glibc
internal import Scenarios

/// The file of costs that `bench` wrote for this machine, as far as somebody keeps one.
struct MeasuredCosts {
  let path: String
  /// Since it was last written.
  let age: TimeSpan
  /// What the machine does that it is of; an error where it is no file of costs.
  let calibration: Result<Calibration, ScenarioError>

  /// Where the examples of `bench` put it.
  static let usualPath = "costs.json"

  /// The file at `path`, or the one at the usual place; nil where that is none.
  static func read(_ path: String?) throws(ToolError) -> MeasuredCosts? {
    let place = path ?? usualPath
    let bytes: [UInt8]
    do {
      bytes = try InputBytes.read(place)
    } catch {
      guard let path else { return nil }
      throw ToolError(.noInput, "cannot open \(path): \(error)")
    }
    let calibration = Result { () throws(ScenarioError) in
      try CostsFile.parse(bytes, file: place).calibration
    }
    return MeasuredCosts(path: place, age: age(of: place), calibration: calibration)
  }

  private static func age(of path: String) -> TimeSpan {
    var (file, now) = (stat(), timespec())
    guard unsafe stat(path, &file) == 0, unsafe clock_gettime(CLOCK_REALTIME, &now) == 0 else {
      return .zero
    }
    return .seconds(Int64(max(0, now.tv_sec - file.st_mtim.tv_sec)))
  }
}
