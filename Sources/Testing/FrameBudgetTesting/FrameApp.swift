public import FrameBudget

/// The app under measurement: the work in its frame loop and its timing.
///
/// Handed to the closure of ``measureFrames(at:drawing:for:cores:seed:loop:patience:test:_:)``, which declares workloads and,
/// where no time is stated, what drawing is.
@MainActor
public final class FrameApp {
  /// The work of a workload for one item. It starts on the main actor and may continue on any executor.
  public typealias Work = @MainActor (_ item: Int) async throws -> Void

  struct Declared {
    let name: String
    let arrival: WorkArrival
    let respondWithin: Duration?
    let isInput: Bool
    let work: Work
  }

  private(set) var workloads: [Declared] = []
  private(set) var drawing: (@MainActor () -> Void)?
  /// The first invalid declaration; it is thrown.
  private(set) var fault: MeasurementError.Reason?

  init() {}

  /// Adds a workload: a closure that runs once for each item that arrives.
  ///
  /// - Parameters:
  ///   - name: its unique name in reports, baselines and scenario files: up to 40 letters, digits, `-` and `_`.
  ///   - arrival: when items arrive.
  ///   - respondWithin: the allowed time from an item's arrival until a frame shows its result; nil for no limit. Responses
  ///     that take longer count as `responses_late`.
  ///   - input: whether items are user input, to which metrics of interactions such as ``ReportedMetric/inp`` apply. Its
  ///     handlers are the part of the closure before its first suspension.
  ///   - work: the work for the item with the given number, from 0. The item is done when it returns; the next frame shows its
  ///     result. It starts on the main actor; what it awaits may run elsewhere.
  public func workload(
    _ name: String, _ arrival: WorkArrival, respondWithin: Duration? = nil, input: Bool = false,
    _ work: @escaping Work
  ) {
    if let reason = WorkloadName.fault(in: name, after: workloads.map(\.name))
      ?? arrival.fault(name)
    {
      fault = fault ?? reason
    }
    workloads.append(
      Declared(
        name: name, arrival: arrival, respondWithin: respondWithin, isInput: input, work: work))
  }

  /// Sets the closure that draws a frame, instead of a fixed drawing time. It runs on the main actor, once in each frame.
  ///
  /// - Parameter draw: draws the frame; its processor time is the drawing time.
  public func frame(_ draw: @escaping @MainActor () -> Void) {
    if drawing != nil { fault = fault ?? .twoDrawings }
    drawing = draw
  }
}

/// When the items of a workload arrive, relative to the start of the measurement, which is a vsync.
public struct WorkArrival: Sendable {
  let arrival: Arrival

  /// - Parameters:
  ///   - count: the number of items that arrive together; at least 1.
  ///   - period: the time between batches; above zero. The first arrives at the start.
  /// - Returns: periodic batches of `count` items.
  public static func batch(_ count: Int, every period: Duration) -> WorkArrival {
    WorkArrival(arrival: .batch(count, every: TimeSpan(period), start: .zero))
  }

  /// - Parameter period: the time between items; above zero. The first arrives at the start.
  /// - Returns: periodic single items.
  public static func every(_ period: Duration) -> WorkArrival { .batch(1, every: period) }

  /// - Parameters:
  ///   - instant: the time after the start.
  ///   - count: the number of items; at least 1.
  /// - Returns: items that arrive once.
  public static func once(at instant: Duration, count: Int = 1) -> WorkArrival {
    WorkArrival(arrival: .once(count, start: TimeSpan(instant)))
  }

  func fault(_ workload: String) -> MeasurementError.Reason? {
    switch arrival {
    case .batch(let count, let period, _) where count < 1 || period <= .zero: .badArrival(workload)
    case .once(let count, let start) where count < 1 || start < .zero: .badArrival(workload)
    default: nil
    }
  }
}

/// Valid names of workloads: they become names in scenario files.
enum WorkloadName {
  static func fault(in name: String, after others: [String]) -> MeasurementError.Reason? {
    let isAllowed = name.utf8.allSatisfy { byte in
      switch UnicodeScalar(byte) {
      case "a"..."z", "A"..."Z", "0"..."9", "-", "_": true
      default: false
      }
    }
    if !isAllowed || name.isEmpty || name.utf8.count > 40 { return .badName(name) }
    return name == UndeclaredWork.name || others.contains(name) ? .sameName(name) : nil
  }

  /// The name of the folder for a measurement of `test`.
  static func folder(for test: String) -> String {
    let words = test.split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
    return words.isEmpty ? "test" : String(words.joined(separator: "-").prefix(60))
  }

  /// `place` with invalid characters replaced.
  static func cleaned(_ place: String, to length: Int = 20) -> String {
    let kept = place.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" }
    return kept.isEmpty ? "thread" : String(kept.prefix(length))
  }
}

extension TimeSpan {
  /// The duration in whole nanoseconds, at most a day, which is longer than any measurement.
  init(_ duration: Duration) {
    let (seconds, attoseconds) = duration.components
    let whole = min(max(seconds, -86_400), 86_400)
    self.init(nanoseconds: whole * 1_000_000_000 + attoseconds / 1_000_000_000)
  }

  var duration: Duration { .nanoseconds(nanoseconds) }
}

extension RefreshRate {
  /// - Parameter hertz: frames per second, from 1 to 1000.
  /// - Returns: the refresh rate of a screen.
  public static func hz(_ hertz: Int) -> RefreshRate { RefreshRate(Int64(hertz)) }
}
