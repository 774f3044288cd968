internal import SchedulableThreads
package import Foundation
package import FrameBudget

/// The output of a measurement, if requested by the environment: a folder with the measured values, the scenario, and the
/// test's checks.
final class MeasurementRecord: Sendable {
  private let folder: URL
  private let checks = Locked<[RecordedCheck]>([])

  /// The folder named by the environment, if any.
  static var output: String? {
    ProcessInfo.processInfo.environment[RecordedMeasurement.variable].flatMap {
      $0.isEmpty ? nil : $0
    }
  }

  /// - Throws: what Foundation does where a folder or a file cannot be written.
  init(of report: FrameReport, in output: String) throws {
    folder = try Self.newFolder(for: report.test, in: URL(filePath: output))
    let name = folder.lastPathComponent
    try report.writeScenario(to: folder.appending(component: "\(name).yaml").path)
    // Written last, because its presence marks the folder as complete.
    try write(MeasurementFile(report), to: MeasurementFile.name)
  }

  /// The first free name based on the test's: a test may measure several times, and tests run in several processes.
  private static func newFolder(for test: String, in output: URL) throws -> URL {
    let manager = FileManager.default
    try manager.createDirectory(at: output, withIntermediateDirectories: true)
    let name = WorkloadName.folder(for: test)
    var number = 1
    while true {
      let folder = output.appending(component: number == 1 ? name : "\(name)-\(number)")
      do {
        try manager.createDirectory(at: folder, withIntermediateDirectories: false)
        return folder
      } catch let error as CocoaError where error.code == .fileWriteFileExists && number < 10_000 {
        number += 1
      }
    }
  }

  /// Records a check of the test; a repeated check replaces the earlier one.
  func note(_ found: [RecordedCheck]) {
    checks.withLock { checks in
      for check in found {
        if let place = checks.firstIndex(where: { $0.name == check.name && $0.note == check.note })
        {
          checks[place] = check
        } else {
          checks.append(check)
        }
      }
      do {
        try write(checks, to: RecordedMeasurement.checks)
      } catch {
        let text = "FrameBudgetTesting: \(folder.path): checks cannot be written: \(error)\n"
        FileHandle.standardError.write(Data(text.utf8))
      }
    }
  }

  private func write(_ value: some Encodable, to name: String) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    try encoder.encode(value).write(to: folder.appending(component: name), options: .atomic)
  }
}

extension FrameReport {
  /// The same, with a record if the environment requests one.
  func recorded() throws(MeasurementError) -> FrameReport {
    guard let output = MeasurementRecord.output else { return self }
    var report = self
    do {
      report.record = try MeasurementRecord(of: self, in: output)
    } catch {
      throw settings.error(.file(output, problem: "no measurement can be written there: \(error)"))
    }
    return report
  }
}

/// The output of a test, as read back from its folder.
package struct RecordedMeasurement: Sendable {
  /// The name of its folder.
  package let name: String
  package let file: MeasurementFile
  /// The checks of the test, in order.
  package let checks: [RecordedCheck]

  /// The environment variable that names the folder of all measurements.
  package static let variable = "FRAMEBUDGET_OUTPUT"
  static let checks = "checks.json"

  /// All measurements in `folder`, by name.
  package static func all(in folder: URL) throws -> [RecordedMeasurement] {
    guard FileManager.default.fileExists(atPath: folder.path) else { return [] }
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    return try names.compactMap { name in
      try RecordedMeasurement(folder.appending(component: name))
    }
  }

  /// Nil if there is none: an interrupted measurement leaves none.
  private init?(_ folder: URL) throws {
    let file = folder.appending(component: MeasurementFile.name)
    guard FileManager.default.fileExists(atPath: file.path) else { return nil }
    name = folder.lastPathComponent
    self.file = try JSONDecoder().decode(MeasurementFile.self, from: Data(contentsOf: file))
    guard self.file.format == MeasurementFile.current else {
      throw UnreadableMeasurement(problem: "\(file.path) is of another version")
    }
    let checks = folder.appending(component: Self.checks)
    self.checks =
      FileManager.default.fileExists(atPath: checks.path)
      ? try JSONDecoder().decode([RecordedCheck].self, from: Data(contentsOf: checks)) : []
  }
}

/// A file of a measurement that cannot be used.
package struct UnreadableMeasurement: Error, CustomStringConvertible {
  package let problem: String

  package var description: String { problem }
}

/// The file of a measurement: the measured values by item.
package struct MeasurementFile: Codable, Sendable {
  /// The version of the file format; other versions are not read.
  var format = Self.current
  /// The test's name in errors.
  var test: String
  var settings: Settings
  /// Processor time of each frame in nanoseconds; empty if a fixed time was given.
  var renders: [Int64]
  var ways: [Way]
  /// The costs of each closure.
  package var baseline: Baseline
  /// The description in the test's log.
  package var summary: String

  static let current = 2
  /// The range of times, in nanoseconds: up to a day, also negative, because differences of two clocks can be. Sums over all
  /// items then fit into 64 bits.
  static let times = -86_400e9...86_400e9
  static let name = "measurement.json"

  struct Settings: Codable, Sendable {
    /// The refresh rate as frames per number of seconds.
    var pictures, seconds: Int64
    /// Nanoseconds.
    var drawing, duration: Int64
    var cores: Int
    var seed: UInt64
    /// Rules of the main loop.
    var order: MainLoop.Events.Order
    var batch: MainLoop.Events.Batch
  }

  /// Items of a closure that took the same route.
  struct Way: Codable, Sendable {
    var name: String
    var closure: String
    /// Nanoseconds; nil without a time limit.
    var respondWithin: Int64?
    /// Nil in files of versions before inputs existed.
    var isInput: Bool?
    var places: [String]
    var items: [Item]
  }

  struct Item: Codable, Sendable {
    /// Nanoseconds from the first frame.
    var arrival: Int64
    /// In the order of the places.
    var pieces: [Piece]
  }

  struct Piece: Codable, Sendable {
    /// Nanoseconds.
    var cpu, wait: Int64
    var nice: Int
    var isUrgent: Bool
  }
}

// MARK: Conversions

extension MeasurementFile {
  init(_ report: FrameReport) {
    let (settings, model) = (report.settings, report.model)
    test = report.test
    self.settings = Settings(
      pictures: settings.refresh.numerator, seconds: settings.refresh.denominator,
      drawing: settings.drawing.nanoseconds, duration: settings.duration.nanoseconds,
      cores: model.cores, seed: settings.seed, order: settings.loop.order,
      batch: settings.loop.batch)
    renders = model.renders.map(\.nanoseconds)
    ways = model.routes.map(Way.init)
    baseline = report.baseline
    summary = report.description
  }

  /// The measured app as a scenario called `name`, with the arrangement.
  package func plan(named name: String) throws(UnreadableMeasurement) -> RunPlan {
    let model = try model
    var scenario = model.scenario()
    scenario.name = name
    return RunPlan(scenario, under: model.strategy(for: scenario))
  }

  fileprivate static func areTimes(_ nanoseconds: [Int64]) -> Bool {
    nanoseconds.allSatisfy { times.contains(Double($0)) }
  }

  private var model: CostModel {
    get throws(UnreadableMeasurement) {
      let isRate =
        settings.seconds > 0 && settings.pictures >= settings.seconds
        && settings.pictures / settings.seconds <= 1000
      guard isRate, settings.duration > 0, Calibration.Key.cores.range.contains(settings.cores),
        Self.areTimes([settings.drawing, settings.duration] + renders),
        ways.allSatisfy(\.isWhole), baseline.isPlausible
      else {
        throw UnreadableMeasurement(problem: "holds values that no measurement has")
      }
      let own = MeasurementSettings(
        test: test, refresh: RefreshRate(settings.pictures, over: settings.seconds),
        drawing: .nanoseconds(settings.drawing), duration: .nanoseconds(settings.duration),
        cores: settings.cores, seed: settings.seed,
        loop: MainLoop.Events(order: settings.order, batch: settings.batch), patience: .zero)
      return CostModel(
        own, cores: settings.cores, routes: ways.map(\.route),
        renders: renders.map(TimeSpan.nanoseconds))
    }
  }
}

extension MeasurementFile.Way {
  init(_ route: CostModel.Route) {
    name = route.name
    closure = route.workload.name
    respondWithin = route.workload.respondWithin?.nanoseconds
    isInput = route.workload.isInput
    places = route.places
    items = route.items.map { arrival, pieces in
      MeasurementFile.Item(
        arrival: arrival.nanoseconds,
        pieces: pieces.map { piece in
          MeasurementFile.Piece(
            cpu: piece.cpu.nanoseconds, wait: piece.wait.nanoseconds, nice: piece.nice,
            isUrgent: piece.isUrgent)
        })
    }
  }

  /// Whether all items have a piece at each place, with valid times and priorities.
  fileprivate var isWhole: Bool {
    let times = items.flatMap { [$0.arrival] + $0.pieces.flatMap { [$0.cpu, $0.wait] } }
    return MeasurementFile.areTimes(times + [respondWithin ?? 0])
      && items.allSatisfy { item in
        item.pieces.count == places.count
          && item.pieces.allSatisfy { Lane.measuredNiceValues.contains(Int64($0.nice)) }
      }
  }

  fileprivate var route: CostModel.Route {
    CostModel.Route(
      name: name,
      workload: MeasuredWorkload(
        name: closure, respondWithin: respondWithin.map(TimeSpan.nanoseconds),
        isInput: isInput ?? false),
      places: places,
      items: items.map { item in
        let pieces = zip(places, item.pieces).map { place, piece in
          Piece(
            place: place, cpu: .nanoseconds(piece.cpu), wait: .nanoseconds(piece.wait),
            nice: piece.nice, isUrgent: piece.isUrgent)
        }
        return (.nanoseconds(item.arrival), pieces)
      })
  }
}

/// A check of a measurement and its result, for the report of the test run.
package struct RecordedCheck: Codable, Hashable, Sendable {
  /// `dropped_frames at most 0`
  package let name: String
  /// The result: `0 to 3`
  package let value: String
  package let verdict: FrameVerdict
  /// `slower`, if the verdict alone is not specific.
  package let word: String
  /// Why there is no result, or what would help.
  package let note: String?

  init(
    _ name: String, _ value: String, _ verdict: FrameVerdict, word: String? = nil,
    note: String? = nil
  ) {
    (self.name, self.value, self.verdict) = (name, value, verdict)
    (self.word, self.note) = (word ?? verdict.rawValue, note)
  }
}

extension RecordedCheck {
  /// `dropped_frames at most 0, found 0 to 3`, and why that does not decide.
  var sentence: String {
    name + (value.isEmpty ? "" : ", found \(value)") + (note.map { "; \($0)" } ?? "")
  }

  /// The allowed side of a limit.
  enum Bound: String { case atMost = "at most", atLeast = "at least" }

  init(
    _ metric: ReportedMetric, _ bound: Bound, _ limit: Double, range: ClosedRange<Double>?,
    _ verdict: FrameVerdict, doubts: [String]
  ) {
    let unit = MetricCatalog.metric(metric.name).map { Self.suffix($0.unit) } ?? ""
    let value = range.map { "\(Self.number($0))\(unit)" } ?? ""
    let reasons = range == nil ? ["the metric does not apply"] : doubts
    self.init(
      "\(metric) \(bound.rawValue) \(Self.number(limit))\(unit)", value, verdict,
      note: verdict == .unsure && !reasons.isEmpty ? reasons.joined(separator: "; ") : nil)
  }

  private static func suffix(_ unit: Metric.Unit) -> String {
    unit == .none || unit == .count ? "" : " \(unit.rawValue)"
  }

  private static func number(_ range: ClosedRange<Double>) -> String {
    let (least, most) = (number(range.lowerBound), number(range.upperBound))
    return least == most ? least : "\(least) to \(most)"
  }

  private static func number(_ value: Double) -> String { Decimal.text(value, places: 2) }
}

// MARK: Beside a baseline

extension BaselineComparison {
  /// A check for each closure; a closure that only one side has is unsure.
  var checks: [RecordedCheck] {
    closures.map(\.check)
      + notes.map { RecordedCheck("baseline", "", isNew ? .met : .unsure, note: $0) }
  }
}

extension BaselineComparison.Closure {
  /// Only slower closures fail the check.
  fileprivate var check: RecordedCheck {
    let outcome: FrameVerdict =
      switch verdict {
      case .slower: .missed
      case .faster, .same: .met
      case .unsure: .unsure
      }
    return RecordedCheck(
      "\(name) beside its baseline", "\(signed(changePercent)) %, \(interval(signed))", outcome,
      word: verdict.rawValue,
      note: verdict == .unsure ? "too noisy: more items, or a longer measurement, may tell" : nil)
  }

  private func signed(_ percent: Double) -> String {
    let text = Decimal.text(percent, places: 1)
    return percent > 0 && text != "0" ? "+\(text)" : text
  }
}

extension Baseline {
  /// The change of each closure since the baseline at `path`, or why it cannot be compared.
  ///
  /// - Throws: if the file is not a baseline.
  package func checked(besides path: String) throws -> [RecordedCheck] {
    guard let base = try Baseline.read(path) else {
      return [RecordedCheck("baseline", "", .unsure, note: "there is no \(path)")]
    }
    guard base.machine == machine else {
      let note = "\(path) is of another machine or build (\(base.machine)) than this (\(machine))"
      return [RecordedCheck("baseline", "", .unsure, note: note)]
    }
    return BaselineStatistics(
      base: base, new: self, threshold: BaselineComparison.standardThreshold
    ).comparison.checks
  }
}
