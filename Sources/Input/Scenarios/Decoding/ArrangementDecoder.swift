import FrameBudget

/// Decodes an arrangement written in YAML, for one scenario.
struct ArrangementDecoder {
  let expansion: Expansion
  let faults: Faults

  var scenario: Scenario { expansion.scenario }

  private static let keys = [
    "as", "advised", "lanes", "locks", "services", "entry", "admission", "reads", "results",
    "yield", "newest", "speedup", "frame", "present",
  ]

  func strategy(_ node: SourceNode) -> Strategy? {
    guard let fields = Fields(node, of: "an arrangement", keys: Self.keys, faults),
      let name = name(fields), let arrangement = arrangement(fields)
    else { return nil }
    do throws(ArrangementError) {
      try arrangement.validate(for: scenario)
    } catch {
      faults.record("the arrangement \(error)", at: node.origin)
    }
    return Strategy(
      name: name, arrangement: arrangement, isAdvised: fields.optional("advised", .flag) ?? false)
  }

  private func name(_ fields: Fields) -> String? {
    guard let name = fields.required("as", .name) else { return nil }
    if name == "all" || StrategyCatalog.named(name) != nil {
      faults.record(
        "\(name.quoted) is a reserved name; allowed: another",
        at: fields["as"]?.origin ?? fields.origin)
    }
    return name
  }

  /// Nil once a fault is recorded.
  private func arrangement(_ fields: Fields) -> Arrangement? {
    let before = faults.count
    var arrangement = Arrangement.onMain(scenario)
    arrangement.lanes += fields["lanes"].map(lanes) ?? []
    arrangement.locks = PerLock(fields["locks"].map(locks) ?? [])
    // Names are looked up only if their declarations could be read.
    if fields.isDecided("lanes"), fields.isDecided("locks") {
      if let node = fields["services"] { decodePlacement(node, in: &arrangement) }
      if let node = fields["entry"] { enter(node, in: &arrangement) }
    }
    arrangement.admission = fields["admission"].flatMap(admission) ?? .all
    arrangement.speedup = fields.optional("speedup", .speedup) ?? 1
    arrangement.yielding = fields["yield"].flatMap(yielding)
    arrangement.newest = fields["newest"].flatMap { NewestRule($0, faults) }
    if fields.isDecided("lanes"), let node = fields["frame"] {
      arrangement.setRules(ofFrameParts: frameParts(node, on: arrangement.lanes))
    }
    arrangement.presentsLater = fields["present"].flatMap(presentsLater) ?? 0
    let reading = fields["reads"].flatMap(reading)
    let returning = fields["results"].flatMap(returning)
    guard faults.count == before else { return nil }
    arrangement.reading = reading ?? arrangement.fittingReading(scenario)
    arrangement.returning = returning ?? arrangement.fittingReturning(scenario)
    return arrangement
  }

  private func lanes(_ node: SourceNode) -> [Lane] {
    guard let pairs = node.mapping(of: "a mapping of names to {carrier: NAME}", faults) else {
      return []
    }
    faults.recordExcess("lane", pairs, limit: Limits.lanes)
    return pairs.map(lane)
  }

  private func lane(_ pair: SourceNode.Pair) -> Lane {
    let name = faults.name(of: pair)
    if name == Lane.main.name {
      faults.record(
        "the lane 'main' is always there; allowed: other names", at: pair.origin)
    }
    var lane = Lane(name: name, carrier: .scheduler)
    // The carrier determines the allowed keys, so it is read first; without one the other keys cannot be checked.
    if let node = pair.value.pairs?.first(where: { $0.key == "carrier" })?.value {
      let reader: ScalarReader<CarrierKind> = .choice(
        "a carrier", alsoKnown: CarrierKind.otherNames)
      guard let carrier = reader.value(of: node, faults) else { return lane }
      lane.carrier = carrier
    }
    let options = lane.carrier.description.options
    let keys = ["carrier", "nice", "renice", "width", "overtaking", "on"] + options.map(\.name)
    let what = "a lane on carrier \(lane.carrier.rawValue)"
    guard let fields = Fields(pair.value, of: what, keys: keys, faults) else { return lane }
    for option in options {
      guard let value = fields.optional(option.name, .value(of: option)) else { continue }
      lane.options[option] = value
    }
    lane.nice = fields.optional("nice", .wholeNumber(in: Lane.niceValues)) ?? lane.nice
    lane.renices = fields["renice"].flatMap(renices) ?? []
    lane.width = fields.optional("width", .width(of: lane.carrier)) ?? lane.width
    lane.overtaking = fields.optional("overtaking", .flag) ?? lane.overtaking
    lane.cores = fields["on"].flatMap(coreSet)
    return lane
  }

  /// `[2, 3]`: cores of the machine, counted from 0.
  private func coreSet(_ node: SourceNode) -> CoreSet? {
    let numbers = node.items(of: "cores", limit: CoreSet.nameable.count, faults)
    guard let numbers else { return nil }
    if numbers.isEmpty {
      faults.record("the list of cores is empty; allowed: at least one", at: node.origin)
    }
    let cores = numbers.compactMap {
      ScalarReader.wholeNumber(in: CoreSet.nameable).value(of: $0, faults)
    }
    return CoreSet(cores)
  }

  private func renices(_ node: SourceNode) -> [Lane.Renice]? {
    var order = TimeOrder(faults)
    return node.items(of: "changes {at: TIME, nice: N}", limit: Limits.changes, faults)?
      .compactMap { node in
        guard let fields = Fields(node, of: "a change", keys: ["at", "nice"], faults),
          let at = order.instant(fields.required("at", "a time such as 5 s")),
          let nice = fields.required("nice", .wholeNumber(in: Lane.niceValues))
        else { return nil }
        return Lane.Renice(at: at, to: nice)
      }
  }

  private func locks(_ node: SourceNode) -> [Lock] {
    let allowed = "a mapping of names to {kind: KIND, hold: step, item or nested}"
    guard let pairs = node.mapping(of: allowed, faults) else { return [] }
    faults.recordExcess("lock", pairs, limit: Limits.locks)
    return pairs.map(lock)
  }

  private func lock(_ pair: SourceNode.Pair) -> Lock {
    var lock = Lock(name: faults.name(of: pair), kind: .standard)
    guard let fields = Fields(pair.value, of: "a lock", keys: ["kind", "hold"], faults) else {
      return lock
    }
    lock.kind = fields.optional("kind", .choice("a kind of lock")) ?? lock.kind
    lock.hold = fields.optional("hold", .choice("a way to hold a lock")) ?? lock.hold
    return lock
  }
}

extension ScalarReader<Int> {
  fileprivate static func width(of carrier: CarrierKind) -> Self {
    let isWide = carrier.description.canBeWide
    return wholeNumber(in: Lane.widths).checked(
      "is too wide; allowed: 1: carrier \(carrier.rawValue) has one thread"
    ) { $0 == 1 || isWide }
  }
}

extension ScalarReader<StrategyOption.Value> {
  fileprivate static func value(of option: StrategyOption) -> Self {
    ScalarReader(option.allowed) { text throws(Quantity.Failure) in try option.value(text) }
  }
}

extension ArrangementDecoder {
  /// `{SERVICE: LANE}` or `{SERVICE: {lock: NAME}}`; other services stay on main. All copies of a service have its name in the
  /// file.
  func decodePlacement(_ node: SourceNode, in arrangement: inout Arrangement) {
    let services = NameTable<Service>("service", expansion.declared.services.map(\.name))
    let lanes = NameTable<Lane>("lane", arrangement.lanes.map(\.name))
    let locks = NameTable<Lock>("lock", arrangement.locks.map(\.name))
    for pair in node.mapping(of: "a mapping of services to lanes or {lock: NAME}", faults) ?? [] {
      guard let service = services.index(of: pair.key, at: pair.origin, faults),
        let placement = placement(pair.value, lanes, locks)
      else { continue }
      for copy in expansion.services[service] { arrangement.placement[copy] = placement }
    }
  }

  private func placement(
    _ node: SourceNode, _ lanes: NameTable<Lane>, _ locks: NameTable<Lock>
  ) -> Placement? {
    if node.text != nil { return lanes.index(of: node, faults).map { .home($0) } }
    return Fields(node, of: "a placement", keys: ["lock"], faults)?
      .required("lock", "the name of a lock").flatMap { locks.index(of: $0, faults) }
      .map { .guarded($0) }
  }

  /// `{WORKLOAD: LANE}`: the lane on which items start if a lock guards their first service.
  func enter(_ node: SourceNode, in arrangement: inout Arrangement) {
    let workloads = NameTable<Workload>("workload", expansion.declared.workloads.map(\.name))
    let lanes = NameTable<Lane>("lane", arrangement.lanes.map(\.name))
    for pair in node.mapping(of: "a mapping of workloads to lanes", faults) ?? [] {
      guard let workload = workloads.index(of: pair.key, at: pair.origin, faults),
        let lane = lanes.index(of: pair.value, faults)
      else { continue }
      for copy in expansion.workloads[workload] { arrangement.entry[copy] = lane }
    }
  }
}

extension ArrangementDecoder {
  /// `all`, `{batch: N, every: T}` or `{fitting: {estimate, unit, look-ahead}}`.
  func admission(_ node: SourceNode) -> Admission? {
    if node.text != nil {
      return ScalarReader<AllKeyword>.choice("an admission").value(of: node, faults).map { _ in .all
      }
    }
    let keys = ["batch", "every", "fitting"]
    guard let fields = Fields(node, of: "an admission", keys: keys, faults) else { return nil }
    if let fitting = fields["fitting"] {
      for key in fields.present(["batch", "every"]) {
        faults.record(
          "'\(key)' does not go with 'fitting'; allowed: one admission",
          at: fields.origin(of: key))
      }
      return self.fitting(fitting).map { .fitting($0) }
    }
    let batch = fields.required("batch", .wholeNumber(in: 1...Limits.items))
    let every = fields.required("every", .duration)
    guard let batch, let every else { return nil }
    return .batch(batch, every: every)
  }

  private func fitting(_ node: SourceNode) -> Admission.Fitting? {
    let keys = ["estimate", "unit", "look-ahead"]
    guard let fields = Fields(node, of: "fitting", keys: keys, faults) else { return nil }
    var fitting = Admission.Fitting()
    fitting.estimate = fields.optional("estimate", .choice("an estimate")) ?? fitting.estimate
    fitting.unit = fields.optional("unit", .choice("a unit")) ?? fitting.unit
    fitting.lookAhead = fields.optional("look-ahead", .flag) ?? fitting.lookAhead
    return fitting
  }

  /// `direct`, `locked`, `snapshot`, or `{snapshot: per-frame}`, `{snapshot: per-step}`.
  func reading(_ node: SourceNode) -> Reading? {
    guard node.text == nil else {
      return ScalarReader<ReadingName>.choice("a way to read").value(of: node, faults)?.reading
    }
    return Fields(node, of: "reads", keys: ["snapshot"], faults)?
      .required("snapshot", .choice("a rule for publishing")).map { .snapshot($0) }
  }

  /// `{PART: {prefetch: {frames: 3, estimate: learned}}}`, `{PART: {cache: {hits: 80 %}}}`, `{PART: {spread: {budget: 4 ms}}}` or
  /// `{PART: {prepare: {lane: NAME, frames: 3, late: wait}}}`; other parts of drawing run in their frames.
  func frameParts(_ node: SourceNode, on lanes: PerLane<Lane>) -> [FramePartRule] {
    let names = NameTable<FramePart>("part of drawing", scenario.frameParts.map(\.name))
    var rules = scenario.frameParts.map { _ in FramePartRule.inFrame }
    for pair in node.mapping(
      of: "a mapping of parts of drawing to {prefetch: …}, {cache: …}, {spread: …} or {prepare: …}",
      faults) ?? []
    {
      guard let part = names.index(of: pair.key, at: pair.origin, faults),
        let rule = framePartRule(pair.value, on: lanes)
      else { continue }
      rules[part.position] = rule
    }
    return rules
  }

  private func framePartRule(_ node: SourceNode, on lanes: PerLane<Lane>) -> FramePartRule? {
    let keys = ["prefetch", "cache", "spread", "prepare"]
    guard let fields = Fields(node, of: "a rule for a part of drawing", keys: keys, faults)
    else { return nil }
    guard let rule = fields.present(keys).first else {
      fields.recordMissing("the rule is missing; allowed: \(keys.joined(separator: ", "))")
      return nil
    }
    for key in fields.present(keys).dropFirst() {
      faults.record(
        "'\(key)' does not go with '\(rule)'; allowed: one rule for a part",
        at: fields.origin(of: key))
    }
    return fields[rule].flatMap {
      switch rule {
      case "prefetch": prefetch($0)
      case "cache": cache($0)
      case "spread": spread($0)
      default: prepare($0, on: lanes)
      }
    }
  }

  private func prefetch(_ node: SourceNode) -> FramePartRule? {
    guard let fields = Fields(node, of: "prefetch", keys: ["frames", "estimate"], faults)
    else { return nil }
    let frames = fields.required("frames", .wholeNumber(in: FramePart.aheads))
    let estimate: Admission.Fitting.Estimate? =
      fields.optional("estimate", .choice("an estimate"))
    return frames.map { .prefetched(frames: $0, estimate: estimate ?? .learned) }
  }

  private func cache(_ node: SourceNode) -> FramePartRule? {
    Fields(node, of: "cache", keys: ["hits"], faults)?.required("hits", .hits)
      .map { .cached(hits: $0) }
  }

  private func spread(_ node: SourceNode) -> FramePartRule? {
    Fields(node, of: "spread", keys: ["budget"], faults)?
      .required("budget", .spreadBudget)
      .map { .spread(budget: $0) }
  }

  /// `{later: 1}`
  private func presentsLater(_ node: SourceNode) -> Int? {
    Fields(node, of: "present", keys: ["later"], faults)?
      .required("later", .wholeNumber(in: 1...Pipeline.deadlines.upperBound - 1))
  }

  private func prepare(_ node: SourceNode, on lanes: PerLane<Lane>) -> FramePartRule? {
    guard let fields = Fields(node, of: "prepare", keys: ["lane", "frames", "late"], faults)
    else { return nil }
    let lane = fields.required("lane", "the name of a lane").flatMap {
      NameTable<Lane>("lane", lanes.map(\.name)).index(of: $0, faults)
    }
    let frames = fields.optional("frames", .wholeNumber(in: 0...FramePart.aheads.upperBound))
    let _: WaitKeyword? = fields.optional("late", .choice("a way to be late"))
    return lane.map { .prepared(lane: $0, frames: frames ?? 0) }
  }

  /// `{every: step, resumes: in-turn}`, or a duration instead of the step.
  func yielding(_ node: SourceNode) -> Yielding? {
    guard let fields = Fields(node, of: "yield", keys: ["every", "resumes"], faults) else {
      return nil
    }
    let grain = fields.optional("every", .grain)
    let resumes: Yielding.Resumption? = fields.optional("resumes", .choice("a resumption"))
    return Yielding(grain ?? .step, resumes: resumes ?? .inTurn)
  }

  /// `in-place`, `coalesced` or `{drain: 2 ms}`.
  func returning(_ node: SourceNode) -> Returning? {
    guard node.text == nil else {
      return ScalarReader<ReturningName>.choice("a way to return results")
        .value(of: node, faults)?.returning
    }
    return Fields(node, of: "results", keys: ["drain"], faults)?.required("drain", .duration)
      .map { .drained(budget: $0) }
  }
}

extension ScalarReader<Yielding.Grain> {
  fileprivate static var grain: Self {
    ScalarReader("'step' or a duration such as 5 ms") { text throws(Quantity.Failure) in
      if text == "\(Yielding.Grain.step)" { return .step }
      guard text.first?.isNumber ?? false else {
        throw Quantity.Failure("is neither; allowed: 'step' or a duration such as 5 ms")
      }
      return .after(try ScalarReader<TimeSpan>.positiveDuration.read(text))
    }
  }
}

extension ScalarReader<TimeSpan> {
  fileprivate static var spreadBudget: Self {
    positiveDuration.checked("is too short; allowed: budgets from \(FramePart.shortestUnit)") {
      $0 >= FramePart.shortestUnit
    }
  }
}

extension ScalarReader<Double> {
  /// `80 %`, as a share.
  fileprivate static var hits: Self {
    ScalarReader("a percentage such as 80 %") { text throws(Quantity.Failure) in
      guard let unit = text.last, unit == "%",
        let thousandths = Decimal.units(text.dropLast().trimmed, places: 3)
      else { throw Quantity.Failure("is not a percentage; allowed: percentages such as 80 %") }
      guard (1...100_000).contains(thousandths) else {
        throw Quantity.Failure("is out of range; allowed: percentages from 0.001 % to 100 %")
      }
      return Double(thousandths) / 100_000
    }
  }
}

private enum AllKeyword: String, CaseIterable { case all }
private enum WaitKeyword: String, CaseIterable { case wait }

private enum ReadingName: String, CaseIterable {
  case direct, locked, snapshot

  var reading: Reading {
    switch self {
    case .direct: .direct
    case .locked: .locked
    case .snapshot: .snapshot(.standard)
    }
  }
}

private enum ReturningName: String, CaseIterable {
  case inPlace = "in-place"
  case coalesced

  var returning: Returning { self == .inPlace ? .inPlace : .coalesced }
}
