public import FrameBudget

/// The app under measurement: what runs in its frame loop, and when.
///
/// Handed to the closure of ``measureFrames(at:drawing:for:cores:seed:loop:patience:test:_:)``, which declares workloads and,
/// where no time is stated, what drawing is.
@MainActor
public final class FrameApp {
  /// What a workload does for one item: begins on the main actor, and goes from there wherever it takes itself.
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
  /// What was declared and makes no sense; the first of it is thrown.
  private(set) var fault: MeasurementError.Reason?

  init() {}

  /// Adds a workload: a closure that runs once for each item that arrives.
  ///
  /// - Parameters:
  ///   - name: as reports, baselines and scenario files call it: letters, digits, `-` and `_`, up to 40; no two the same.
  ///   - arrival: when items come.
  ///   - respondWithin: how long it may take from an item's arrival until a frame shows its result; nil where nobody waits
  ///     for it. Answers that take longer count as `responses_late`.
  ///   - input: whether items are the user's input: then the metrics of interactions apply, such as ``ReportedMetric/inp``.
  ///     Its handlers are what the closure does before it first suspends.
  ///   - work: what is done for the item of the number it is given, from 0. The item is done when this returns; the next frame
  ///     shows its result. It begins on the main actor; whatever it awaits may run elsewhere.
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

  /// Says what draws a frame, in place of a stated time: a closure on the main actor, once in each frame.
  ///
  /// - Parameter draw: draws what the screen shows; its processor time is what drawing takes.
  public func frame(_ draw: @escaping @MainActor () -> Void) {
    if drawing != nil { fault = fault ?? .twoDrawings }
    drawing = draw
  }
}

/// When the items of a workload come, counted from the beginning of a measurement, which is a vsync.
public struct WorkArrival: Sendable {
  let arrival: Arrival

  /// - Parameters:
  ///   - count: how many come at one instant; at least 1.
  ///   - period: from one batch to the next; above zero. The first comes at the beginning.
  /// - Returns: `count` items at once, again and again.
  public static func batch(_ count: Int, every period: Duration) -> WorkArrival {
    WorkArrival(arrival: .batch(count, every: TimeSpan(period), start: .zero))
  }

  /// - Parameter period: from one item to the next; above zero. The first comes at the beginning.
  /// - Returns: one item, again and again.
  public static func every(_ period: Duration) -> WorkArrival { .batch(1, every: period) }

  /// - Parameters:
  ///   - instant: how long after the beginning.
  ///   - count: how many come then; at least 1.
  /// - Returns: items that come once.
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

/// What workloads may be called: they become names in scenario files.
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

  /// What the folder of a measurement of `test` is called.
  static func folder(for test: String) -> String {
    let words = test.split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
    return words.isEmpty ? "test" : String(words.joined(separator: "-").prefix(60))
  }

  /// `place` with what names may not have replaced.
  static func cleaned(_ place: String, to length: Int = 20) -> String {
    let kept = place.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" }
    return kept.isEmpty ? "thread" : String(kept.prefix(length))
  }
}

extension TimeSpan {
  /// The duration in whole nanoseconds; at most a day, more than any measurement lasts.
  init(_ duration: Duration) {
    let (seconds, attoseconds) = duration.components
    let whole = min(max(seconds, -86_400), 86_400)
    self.init(nanoseconds: whole * 1_000_000_000 + attoseconds / 1_000_000_000)
  }

  var duration: Duration { .nanoseconds(nanoseconds) }
}

extension RefreshRate {
  /// - Parameter hertz: pictures per second, from 1 to 1000.
  /// - Returns: the rate of a screen.
  public static func hz(_ hertz: Int) -> RefreshRate { RefreshRate(Int64(hertz)) }
}
