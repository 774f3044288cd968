internal import FrameBudget

/// A measurement as a scenario: closures are workloads, their pieces are steps, places are lanes.
///
/// Items of a closure that took the same route are one workload, so that each step has a column of costs by item.
struct CostModel: Sendable {
  let settings: MeasurementSettings
  let routes: [Route]
  private let lanes: [Lane]
  let renders: [TimeSpan]
  let cores: Int
  /// The machine's best speed relative to its median speed, at least 1: how much other processes may have inflated the costs.
  let disturbance: Double
  /// How the model simplifies the measurement, as sentences.
  private(set) var doubts: [String] = []
  /// Whether items have fewer pieces than measured. The model may then drop frames that the app did not drop.
  let isFolded: Bool
  /// Whether the measurement includes tasks of other code, or times that are estimates. The app alone may be better or worse.
  let isDisturbed: Bool
  /// The names of workloads whose times are estimates.
  let estimated: Set<String>

  /// The items of one closure that ran at the same places, in the same order.
  struct Route: Sendable {
    typealias Item = (arrival: TimeSpan, pieces: [Piece])

    let name: String
    let workload: MeasuredWorkload
    /// The places of its pieces, in order.
    let places: [String]
    /// In the order of arrival.
    private(set) var items: [Item]

    init(
      name: String, workload: MeasuredWorkload, places: [String], items: [Item] = []
    ) {
      (self.name, self.workload, self.places, self.items) = (name, workload, places, items)
    }

    fileprivate mutating func append(_ pieces: [Piece], at arrival: TimeSpan) {
      items.append((arrival, pieces))
    }

    fileprivate var folded: Route {
      let items = items.map { (arrival: $0.arrival, pieces: ItemPieces.folded($0.pieces)) }
      return Route(
        name: name, workload: workload, places: items.first?.pieces.map(\.place) ?? places,
        items: items)
    }

    var isUrgent: Bool { items.contains { $0.pieces.contains(where: \.isUrgent) } }

    /// Whether an item waits for the piece at that position. Consecutive events of one scheduler were posted one after another:
    /// an item waits at most for the last of them, and only if it continues elsewhere.
    func isAwaited(_ place: Int) -> Bool {
      guard Measured.isScheduler(places[place]) else { return true }
      return place + 1 < places.count && places[place + 1] != places[place]
    }

    /// The name of the service for the work at `place`.
    func service(at place: String) -> String {
      if place == Measured.main { return workload.name }
      let isPool = place.hasPrefix(Measured.pool)
      return "\(workload.name)-\(isPool ? Measured.pool : WorkloadName.cleaned(place))"
    }
  }

  init(_ measured: Measured, _ settings: MeasurementSettings, cores: Int) {
    self.settings = settings
    self.cores = cores
    let pieces = ItemPieces(measured, settings.loop)
    var routes: [Route] = []
    var hasFolded = false
    for workload in measured.workloads.indices {
      routes += Self.routes(of: workload, in: measured, pieces.all, &hasFolded)
    }
    self.routes = routes + Self.undeclared(measured.undeclared)
    renders = measured.renders
    lanes = Self.lanes(of: routes)
    isFolded = hasFolded
    estimated = Set(measured.uncertain.map { measured.workloads[$0].name })
    isDisturbed = !measured.uncertain.isEmpty || Self.foreign(measured) != nil
    disturbance = Self.disturbance(measured.watchProbes)
    doubts = Self.doubts(measured, hasFolded: hasFolded)
  }

  /// The model from a record, which has no resamples.
  init(_ settings: MeasurementSettings, cores: Int, routes: [Route], renders: [TimeSpan]) {
    (self.settings, self.cores, self.routes, self.renders) = (settings, cores, routes, renders)
    lanes = Self.lanes(of: routes)
    disturbance = 1
    isFolded = false
    isDisturbed = false
    estimated = []
  }

  /// The model with at most `most` pieces per item, which then yields less often.
  func folded(to most: Int) -> CostModel {
    let folded = routes.map { $0.places.count > most ? $0.folded : $0 }
    return CostModel(settings, cores: cores, routes: folded, renders: renders)
  }

  // MARK: From a measurement

  /// Undeclared work as workloads, by size: costs are resampled from their neighbours, so work that takes much longer must not
  /// be one of these.
  private static func undeclared(_ pieces: [UndeclaredWork.Piece]) -> [Route] {
    let workload = MeasuredWorkload(name: UndeclaredWork.name, respondWithin: nil)
    let sizes = Dictionary(grouping: pieces) { size(of: TimeSpan($0.took)) }
    return sizes.keys.sorted().enumerated().map { place, size in
      Route(
        name: place == 0 ? UndeclaredWork.name : "\(UndeclaredWork.name)-\(place + 1)",
        workload: workload, places: [Measured.main],
        items: (sizes[size] ?? []).map { piece in
          let work = Piece(place: Measured.main, cpu: TimeSpan(piece.took), wait: .zero)
          return (TimeSpan(piece.began), [work])
        })
    }
  }

  /// Each size is four times as long as the previous one.
  private static func size(of span: TimeSpan) -> Int {
    (Int64.bitWidth - span.nanoseconds.leadingZeroBitCount) / 2
  }

  private static func routes(
    of workload: Int, in measured: Measured, _ pieces: [[Piece]], _ hasFolded: inout Bool
  ) -> [Route] {
    let declared = measured.workloads[workload]
    var routes: [Route] = []
    var places: [[String]: Int] = [:]
    var taken: [Int] = []
    let own = measured.items.indices.filter { measured.items[$0].workload == workload }
    let arrivals = measured.log.items[workload].arrivals
    func add(_ item: Int, at arrival: TimeSpan) {
      var own = pieces[item]
      if routes.count >= maxRoutes, places[own.map(\.place)] == nil {
        own = ItemPieces.folded(own)
        hasFolded = true
      }
      let route = own.map(\.place)
      let place = places[route] ?? routes.count
      if place == routes.count {
        places[route] = place
        let name = place == 0 ? declared.name : "\(declared.name)-\(place + 1)"
        routes.append(Route(name: name, workload: declared, places: route))
      }
      routes[place].append(own, at: arrival)
    }
    for item in own where !pieces[item].isEmpty {
      add(item, at: measured.items[item].arrival.sinceZero)
      taken.append(item)
    }
    // Items that did not start are assumed to cost the same as the measured ones, in turn.
    if !taken.isEmpty {
      for number in own.count..<max(own.count, arrivals.count) {
        add(taken[number % taken.count], at: .nanoseconds(arrivals[number]))
      }
    }
    return routes
  }

  /// The most routes of one closure: scenario files limit the number of workloads.
  private static let maxRoutes = 24

  private static func lanes(of routes: [Route]) -> [Lane] {
    var names: [String] = []
    var nice: [String: Int] = [:]
    var urgent: Set<String> = []
    for piece in routes.lazy.flatMap(\.items).flatMap(\.pieces) where piece.place != Measured.main {
      if nice.updateValue(piece.nice, forKey: piece.place) == nil { names.append(piece.place) }
      if piece.isUrgent { urgent.insert(piece.place) }
    }
    return names.map { place in
      let isScheduler = Measured.isScheduler(place)
      return Lane(
        name: WorkloadName.cleaned(place, to: 50), carrier: isScheduler ? .scheduler : .dispatch,
        nice: isScheduler ? min(max(0, nice[place] ?? 0), 19) : 0,
        overtaking: isScheduler && urgent.contains(place))
    }
  }

  private static func disturbance(_ probes: [Int64]) -> Double {
    guard let least = probes.min(), let middle = probes.middle, least > 0 else { return 1 }
    return max(1, Double(middle) / Double(least))
  }

  private static func doubts(_ measured: Measured, hasFolded: Bool) -> [String] {
    var doubts: [String] = []
    if !measured.seesMain {
      doubts.append(
        "this Swift runtime does not show the work of closures on the main actor after their first suspension"
      )
    }
    if hasFolded {
      doubts.append(
        "items with very many different paths are simulated in few pieces, as if they yielded less often"
      )
    }
    if !measured.uncertain.isEmpty {
      let names = measured.uncertain.sorted().map { "'\(measured.workloads[$0].name)'" }
      doubts.append(
        "other processes interrupted an actor's work for \(names.joined(separator: " and ")), so each one's part is an estimate"
      )
    }
    if measured.hasUnservedLoop {
      doubts.append(
        "work waits in a run loop that no thread runs: blocks, timers or sources of RunLoop.main or RunLoop.current, which a "
          + "process of tests on Linux does not run; post it to the main queue or to the main actor, or measure in a program "
          + "whose main thread runs RunLoop.main"
      )
    }
    if let foreign = foreign(measured) { doubts.append(foreign) }
    let begun = Set(measured.items.map(\.workload))
    for place in measured.workloads.indices where !begun.contains(place) {
      doubts.append("no item of '\(measured.workloads[place].name)' was begun")
    }
    return doubts
  }

  /// Jobs of the main actor that other code started, such as a test that runs in parallel.
  private static func foreign(_ measured: Measured) -> String? {
    guard ForeignJobs.disturb(measured.foreign, in: measured.log.duration.nanoseconds) else {
      return nil
    }
    let spent = Decimal.text(Double(measured.foreign.reduce(0, +)) / 1e6, places: 3)
    return
      "tasks on the main actor that no workload started took \(spent) ms, perhaps those of a test that runs in parallel; "
      + "give this test the trait .measuresFrames, run it alone (swift test --no-parallel), or start them in a workload's "
      + "closure"
  }

  // MARK: As a scenario

  /// The places of all routes, in order, with the names of their services.
  var services: [(name: String, place: String)] {
    var seen: Set<String> = []
    var services: [(name: String, place: String)] = []
    for route in routes {
      for place in route.places where seen.insert(route.service(at: place)).inserted {
        services.append((route.service(at: place), place))
      }
    }
    return services
  }

  /// The app with measured costs and arrivals.
  func scenario() -> Scenario { scenario(changed: nil) }

  /// The app with resampled costs, each from items that arrived at about the same time; with other phases of the arrivals
  /// relative to the vsync; and with the machine's disturbance kept, reduced or removed.
  func resampled(_ number: Int) -> Scenario {
    scenario(changed: Resampling(seed: settings.seed, number: number, disturbance: disturbance))
  }

  private func scenario(changed: Resampling?) -> Scenario {
    let services = self.services
    let indices = Dictionary(
      services.enumerated().map { ($1.name, ServiceIndex($0)) }, uniquingKeysWith: { $1 })
    let render = changed?.changed(renders, name: "frames") ?? renders
    return Scenario(
      name: "measured",
      display: Display(
        refresh: settings.refresh,
        render: RecordedDurations(render).map(DurationDistribution.recorded)
          ?? .constant(settings.drawing),
        mainLoop: .events(settings.loop)),
      duration: settings.duration, warmup: .zero, seed: settings.seed,
      machine: Machine(cores: cores), services: services.map { Service(name: $0.name) },
      workloads: routes.map { workload($0, indices, changed) })
  }

  private func workload(
    _ route: Route, _ services: [String: ServiceIndex], _ changed: Resampling?
  ) -> Workload {
    let items = changed?.items(of: route) ?? route.items.map(\.pieces)
    let shift = changed?.phase(of: route.workload.name, settings.refresh) ?? .zero
    let steps = route.places.indices.map { place in
      let name = route.service(at: route.places[place])
      return Step(
        name: "\(place)-\(name)", service: services[name] ?? 0,
        load: .cpu(Self.recorded(items.map { $0[place].cpu })),
        wait: Self.recorded(items.map { $0[place].wait }), isAwaited: route.isAwaited(place))
    }
    var workload = Workload(
      name: route.name, arrival: .recorded(route.items.map { $0.arrival + shift }), steps: steps,
      priority: route.isUrgent ? .user : .background, respondWithin: route.workload.respondWithin)
    workload.isInput = route.workload.isInput
    return workload
  }

  private static func recorded(_ spans: [TimeSpan]) -> DurationDistribution {
    guard spans.contains(where: { $0 > .zero }) else { return .none }
    return RecordedDurations(spans).map(DurationDistribution.recorded) ?? .none
  }

  /// The measured assignment of work to threads.
  func strategy(for scenario: Scenario) -> Strategy {
    var arrangement = Arrangement.onMain(scenario)
    let places = [Measured.main] + lanes.map(\.name)
    arrangement.lanes = PerLane([.main] + lanes)
    arrangement.placement = PerService(
      services.map { service in
        let name =
          service.place == Measured.main
          ? service.place : WorkloadName.cleaned(service.place, to: 50)
        return .home(LaneIndex(places.firstIndex(of: name) ?? 0))
      })
    // After each suspension, waiting work of the main actor runs first.
    arrangement.yielding = Yielding(.step, resumes: .inTurn)
    arrangement.returning =
      arrangement.endsOnMain(scenario) ? .inPlace : .drained(budget: .seconds(1))
    return Strategy(name: Self.strategyName, arrangement: arrangement)
  }

  static let strategyName = "as-measured"
}

/// One resample of the measurement.
struct Resampling {
  private let seed: UInt64
  private let number: Int
  private let factor: Double

  init(seed: UInt64, number: Int, disturbance: Double) {
    self.seed = seed
    self.number = number
    var stream = RandomStream(seed: seed, name: "resample/disturbance", index: number)
    factor = 1 / (1 + stream.unit() * (disturbance - 1))
  }

  private func stream(_ name: String) -> RandomStream {
    RandomStream(seed: seed, name: "resample/\(name)", index: number)
  }

  /// The phase of a closure's items relative to the vsync.
  func phase(of workload: String, _ refresh: RefreshRate) -> TimeSpan {
    var stream = stream("phase/\(workload)")
    return .nanoseconds(Int64(stream.unit() * Double(refresh.period.nanoseconds)))
  }

  func items(of route: CostModel.Route) -> [[Piece]] {
    drawn(route.items.map(\.pieces), name: "items/\(route.name)") { pieces in
      pieces.map { piece in
        var piece = piece
        piece.cpu = piece.cpu.multiplied(by: factor)
        return piece
      }
    }
  }

  func changed(_ spans: [TimeSpan], name: String) -> [TimeSpan] {
    drawn(spans, name: name) { $0.multiplied(by: factor) }
  }

  /// Replaces each value by one of its neighbours, which keeps trends over the run.
  private func drawn<Value>(
    _ values: [Value], name: String, _ change: (Value) -> Value
  ) -> [Value] {
    var stream = stream(name)
    let reach = max(3, values.count / 10)
    return values.indices.map { index in
      let low = max(0, index - reach)
      let high = min(values.count - 1, index + reach)
      return change(values[low + Int(stream.unit() * Double(high - low + 1))])
    }
  }
}
