internal import FrameBudget

/// A metric of the project, by the name that its columns have.
public struct ReportedMetric: Hashable, Sendable, CustomStringConvertible {
  /// As columns, gates and expectations name it: `dropped_frames`.
  public let name: String

  /// - Parameter name: as columns name it; `framebudget list metrics` shows all.
  /// - Throws: `unknownMetric`, with a suggestion, where there is none of that name.
  public init(_ name: String) throws(MeasurementError) {
    guard MetricCatalog.numbers.contains(where: { $0.name == name }) else {
      let remedy = Spelling.suggestion(for: name, among: MetricCatalog.numbers.map(\.name))
      throw MeasurementError(.unknownMetric(name, suggestion: remedy), test: "ReportedMetric")
    }
    self.name = name
  }

  private init(_ metric: Metric) { name = metric.name }

  /// The name.
  public var description: String { name }

  /// Vsyncs at which a frame was wanted and no new one was shown.
  public static let droppedFrames = ReportedMetric(.droppedFrames)
  /// Their share of all vsyncs that wanted a frame, in percent.
  public static let droppedPercent = ReportedMetric(.droppedPercent)
  /// How long nothing new was shown at worst, in milliseconds.
  public static let longestHitch = ReportedMetric(.hitchMax)
  /// Missed time per second, in milliseconds per second.
  public static let hitchRatio = ReportedMetric(.hitchRatio)
  /// The same as ``hitchRatio``, by the name that Xcode gives it.
  public static let hitchTimeRatio = hitchRatio
  /// Interaction to Next Paint in milliseconds; of workloads with `input`.
  public static let inp = ReportedMetric(.inp)
  /// What tasks of the main thread took beyond 50 ms, together, in milliseconds.
  public static let totalBlockingTime = ReportedMetric(.totalBlocking)
  /// From a frame's vsync to the end of its work, the 99th percentile in milliseconds.
  public static let frameTime = ReportedMetric(.frameTime(.p99))
  /// From a frame's deadline until it was ready, the 99th percentile in milliseconds; below zero where it was early.
  public static let frameOverrun = ReportedMetric(.frameOverrun(.p99))
  /// Answers that took longer than `respondWithin`.
  public static let lateResponses = ReportedMetric(.responsesLate)
  /// From an item's arrival to the vsync that shows its answer, the longest in milliseconds; of workloads with `respondWithin`.
  public static let longestResponse = ReportedMetric(.response(.max))
  /// From an item's arrival to the vsync that shows its result, the 95th percentile in milliseconds.
  public static let contentTime = ReportedMetric(.content(.p95))
  /// Items that had arrived and were not done by the end.
  public static let itemsPending = ReportedMetric(.itemsPending)
}

/// What a measurement says of a limit.
public enum FrameVerdict: String, Hashable, Codable, Sendable {
  /// It is kept, however costs and phases fall.
  case met
  /// It is broken, however costs and phases fall.
  case missed
  /// Some of them keep it and some break it, or something was not seen: a longer measurement, or a quieter machine, may tell.
  case unsure
}
