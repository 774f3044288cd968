internal import Foundation
package import FrameBudget

/// A measurement as a test leaves it for whoever runs the tests: what was measured, item by item.
package struct MeasurementFile: Codable, Sendable {
  /// Of the file's form; another one is not read.
  var format = Self.current
  /// As errors call the test.
  var test: String
  var settings: Settings
  /// By frame, in nanoseconds of processor time; empty where a time was stated.
  var renders: [Int64]
  var ways: [Way]
  /// What each closure took.
  package var baseline: Baseline
  /// What a test's log says of it.
  package var summary: String

  static let current = 2
  /// What times in it may be, in nanoseconds: within a day, in either direction, as what is left of two clocks may be less
  /// than nothing. What is added up over its items fits into 64 bits.
  static let times = -86_400e9...86_400e9
  static let name = "measurement.json"

  struct Settings: Codable, Sendable {
    /// Pictures in so many seconds.
    var pictures, seconds: Int64
    /// Nanoseconds.
    var drawing, duration: Int64
    var cores: Int
    var seed: UInt64
    /// Of the main loop.
    var order: MainLoop.Events.Order
    var batch: MainLoop.Events.Batch
  }

  /// Items of a closure that went the same way.
  struct Way: Codable, Sendable {
    var name: String
    var closure: String
    /// Nanoseconds; nil where nobody waits for it.
    var respondWithin: Int64?
    /// Nil in files from before there were inputs.
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

// MARK: To and from what it holds

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
    ways = model.ways.map(Way.init)
    baseline = report.baseline
    summary = report.description
  }

  /// The app as it was measured, called `name`, and who ran what where.
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
        own, cores: settings.cores, ways: ways.map(\.way),
        renders: renders.map(TimeSpan.nanoseconds))
    }
  }
}

extension MeasurementFile.Way {
  init(_ way: CostModel.Way) {
    name = way.name
    closure = way.workload.name
    respondWithin = way.workload.respondWithin?.nanoseconds
    isInput = way.workload.isInput
    places = way.places
    items = way.items.map { arrival, pieces in
      MeasurementFile.Item(
        arrival: arrival.nanoseconds,
        pieces: pieces.map { piece in
          MeasurementFile.Piece(
            cpu: piece.cpu.nanoseconds, wait: piece.wait.nanoseconds, nice: piece.nice,
            isUrgent: piece.isUrgent)
        })
    }
  }

  /// Whether all its items have a piece at each place, of times and priorities that there are.
  fileprivate var isWhole: Bool {
    let times = items.flatMap { [$0.arrival] + $0.pieces.flatMap { [$0.cpu, $0.wait] } }
    return MeasurementFile.areTimes(times + [respondWithin ?? 0])
      && items.allSatisfy { item in
        item.pieces.count == places.count
          && item.pieces.allSatisfy { Lane.measuredNiceValues.contains(Int64($0.nice)) }
      }
  }

  fileprivate var way: CostModel.Way {
    CostModel.Way(
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
