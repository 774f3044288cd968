import FrameBudget

extension ScenarioDecoder {
  static let workloadKeys = [
    "name", "item", "arrival", "steps", "files", "result", "priority", "respond_within", "draws",
    "shows", "input", "timer", "copies", "own", "admission",
  ]

  func workloads(_ fields: Fields, _ names: StepNames) -> [Workload] {
    guard let list = fields["workloads"],
      let nodes = list.items(of: "workloads", limit: Limits.workloads, faults)
    else { return [] }
    return unique("workload", nodes) { workload($0, names) }
  }

  /// Decodes each of `nodes`; their names must be unique.
  func unique<Value>(
    _ kind: String, _ nodes: [SourceNode], _ decode: (SourceNode) -> Value?
  ) -> [Value] {
    let names = nodes.compactMap { node -> (String, Origin)? in
      guard let name = node.pairs?.first(where: { $0.key == "name" })?.value else { return nil }
      return name.text.map { ($0, name.origin) }
    }
    faults.recordDuplicates(kind, names)
    return nodes.compactMap(decode)
  }

  private func workload(_ node: SourceNode, _ names: StepNames) -> Workload? {
    guard let fields = Fields(node, of: "a workload", keys: Self.workloadKeys, faults) else {
      return nil
    }
    let name = fields.required("name", .name)
    let item = fields.optional("item", .noun)
    let arrival = fields.required("arrival", "a mapping such as {once: 100}").flatMap(self.arrival)
    let steps = fields.required("steps", "a list of steps").flatMap { self.steps($0, names) }
    let result = fields["result"].flatMap(self.result)
    let priority: Workload.Priority? = fields.optional("priority", .choice("a priority"))
    let respondWithin = fields.optional("respond_within", .positiveDuration)
    let files = fields.optional("files", .text)
    let draws = fields.optional("draws", .flag)
    guard let name, let arrival, let steps else { return nil }
    checkFiles(steps, fields)
    var workload = Workload(
      name: name, arrival: arrival, steps: steps, result: result ?? .none,
      priority: priority ?? .background, respondWithin: respondWithin, files: files,
      item: item, draws: draws ?? false)
    workload.shows = fields.optional("shows", .flag) ?? true
    workload.isInput = fields.optional("input", .flag) ?? false
    workload.isTimer = fields.optional("timer", .flag) ?? false
    workload.admission = fields["admission"].flatMap { NewestRule($0, faults) }
    return workload
  }

  /// Checks that files and steps that work on files occur together.
  private func checkFiles(_ steps: [Step], _ fields: Fields) {
    if let working = steps.first(where: { $0.task != nil }), fields["files"] == nil {
      fields.recordMissing(
        "step \(working.name.quoted) works on files, but the workload has none; allowed: "
          + "'files: DIR' together with 'steps'")
    }
    // An unreadable task counts, because it has a fault of its own.
    guard case .sequence(let nodes) = fields["steps"]?.content, fields["files"] != nil,
      !nodes.contains(where: { $0.pairs?.contains { $0.key == "do" } == true })
    else { return }
    faults.record(
      "no step works on these files; allowed: 'do: stat' in a step",
      at: fields.origin(of: "files"))
  }

  private func result(_ node: SourceNode) -> DurationDistribution? {
    Fields(node, of: "a result", keys: ["cpu"], faults)?
      .required("cpu", "a duration or a distribution").flatMap(distribution)
  }

  private func steps(_ list: SourceNode, _ names: StepNames) -> [Step]? {
    guard let nodes = list.items(of: "steps", limit: Limits.steps, faults) else { return nil }
    if nodes.isEmpty {
      faults.record("there are no steps; allowed: 1 to \(Limits.steps)", at: list.origin)
    }
    var isAnyOpen = false
    var hasAnswered = false
    let steps = unique("step", nodes) { node in
      let step = step(node, names)
      checkParts(step, node, &isAnyOpen)
      checkAnswer(step, node, &hasAnswered)
      return step.map { [$0] + calls(of: node, names.services) }
    }.flatMap { $0 }
    if steps.count > Limits.steps {
      faults.record(
        "there are \(steps.count) steps with what they call; allowed: up to \(Limits.steps)",
        at: list.origin)
    }
    return steps
  }

  private func step(_ node: SourceNode, _ names: StepNames) -> Step? {
    let keys = [
      "name", "service", "do", "cpu", "work", "touches", "wait", "suspend", "calls", "await",
      "join", "answers", "repeat", "slices",
    ]
    guard let fields = Fields(node, of: "a step", keys: keys, faults) else { return nil }
    let name = fields.optional("name", .name)
    let service = fields.required("service", "the name of a service")
    let index = service.flatMap { names.services?.index(of: $0, faults) }
    let task: FileTask? = fields.optional("do", .choice("a task"))
    let load = load(fields)
    let wait = fields["wait"].flatMap(distribution) ?? .none
    let suspension = fields["suspend"].flatMap { self.suspension($0, names.resources) }
    let isAwaited = fields.optional("await", .flag) ?? true
    let joins = fields.optional("join", .flag) ?? false
    guard let index, let load else { return nil }
    var step = Step(
      name: name ?? service?.text ?? "", service: index, load: load, task: task, wait: wait,
      isAwaited: isAwaited, joins: joins)
    step.suspension = suspension
    step.answers = fields.optional("answers", .flag) ?? false
    step.repeats = fields.optional("repeat", .wholeNumber(in: Step.allowedRepeats)) ?? 1
    step.slice = fields.optional("slices", .slice)
    for key in ["repeat", "do", "suspend"] where fields["slices"] != nil && fields[key] != nil {
      faults.record(
        "a step has both slices and \(key); allowed: one of them", at: fields.origin(of: "slices"))
    }
    return step
  }

  private func load(_ fields: Fields) -> Step.Load? {
    let given = fields.present(["cpu", "work"])
    if given.count == 2 {
      faults.record(
        "a step has both cpu and work; allowed: one of them", at: fields.origin(of: given[1]))
    }
    if fields["touches"] != nil, fields["work"] == nil {
      faults.record(
        "'touches' needs 'work'; allowed: 'work: 2.6 ms, touches: 1 MB'",
        at: fields.origin(of: "touches"))
    }
    if fields["do"] != nil, fields["cpu"] == nil {
      fields.recordMissing(
        "a step with 'do' has no cpu, which the virtual engine assumes; allowed: 'do: stat, cpu: 3 us'"
      )
      return nil
    }
    if let work = fields["work"] {
      let touches = fields.optional("touches", .bytes) ?? 0
      return distribution(work).map { .work($0, touches: touches) }
    }
    if let cpu = fields["cpu"] { return distribution(cpu).map { .cpu($0) } }
    if fields["wait"] != nil || fields["suspend"] != nil { return .cpu(.none) }
    fields.recordMissing("a step does nothing; allowed: cpu, work, wait, suspend")
    return nil
  }
}

extension ScenarioDecoder {
  /// `{once: N}`, `{batch: N, every: T}`, `{every: T}`, `{rate: N/s}`, `{at: [T, …]}`, or
  /// `{recorded: FILE, column: NAME}`, each with `start`.
  func arrival(_ node: SourceNode) -> Arrival? {
    if node.pairs?.contains(where: { $0.key == "recorded" }) == true {
      return recordedArrival(node)
    }
    let keys = ["once", "batch", "every", "rate", "at", "start", "recorded", "column"]
    guard let fields = Fields(node, of: "an arrival", keys: keys, faults) else { return nil }
    let given = fields.present(["once", "every", "rate", "at"])
    guard let kind = given.first else {
      fields.recordMissing(
        "the arrival times are missing; allowed: one of once, every, rate, at, recorded")
      return nil
    }
    if given.count > 1 {
      faults.record(
        "an arrival has both \(kind) and \(given[1]); allowed: one of them",
        at: fields.origin(of: given[1]))
    }
    refuse("batch", beside: kind, unless: ["every"], fields)
    return arrival(kind, fields)
  }

  /// A column of instants in a file, from time 0, or the first at `start`.
  private func recordedArrival(_ node: SourceNode) -> Arrival? {
    let what = "a recorded arrival"
    guard let fields = Fields(node, of: what, keys: ["recorded", "column", "start"], faults),
      case .recorded(let column) = recorded(fields)
    else { return nil }
    let list = Arrival.recorded((0..<column.count).map { column[$0] })
    return fields.optional("start", .duration).map(list.starting) ?? list
  }

  private func refuse(
    _ key: String, beside kind: String, unless allowed: [String], _ fields: Fields
  ) {
    guard fields[key] != nil, !allowed.contains(kind) else { return }
    faults.record(
      "'\(key)' does not go with '\(kind)'; allowed: '\(key)' together with \(allowed.list)",
      at: fields.origin(of: key))
  }

  private func arrival(_ kind: String, _ fields: Fields) -> Arrival? {
    let given = fields.optional("start", .duration)
    let start = given ?? .zero
    switch kind {
    case "once": return fields.required("once", .itemCount).map { .once($0, start: start) }
    case "rate":
      return fields.required("rate", .itemsPerSecond).map { .rate(perSecond: $0, start: start) }
    case "every":
      let batch = fields["batch"] == nil ? 1 : fields.required("batch", .itemCount)
      let every = fields.required("every", .positiveDuration)
      guard let batch, let every else { return nil }
      return .batch(batch, every: every, start: start)
    default:
      return fields["at"].flatMap(instants).map { list in
        given.map(Arrival.at(list).starting) ?? .at(list)
      }
    }
  }

  private func instants(_ node: SourceNode) -> [TimeSpan]? {
    guard let nodes = node.items(of: "instants", limit: Limits.items, faults) else { return nil }
    var order = TimeOrder(faults)
    return nodes.compactMap { order.instant($0) }
  }

  /// Rejects more items than a run can hold, without counting them one by one.
  func checkItems(_ scenario: Scenario, _ fields: Fields) {
    guard case .sequence(let nodes) = fields["workloads"]?.content,
      nodes.count == scenario.workloads.count
    else { return }
    guard let index = scenario.workloadWithTooManyItems else { return }
    let node = nodes[index.position]
    let arrival = node.pairs?.first { $0.key == "arrival" }?.value
    faults.record(
      "more than \(Limits.items) items arrive in \(scenario.duration); allowed: at most that many in "
        + "all workloads together", at: arrival?.origin ?? node.origin)
  }
}

extension Scenario {
  /// The first workload whose items, with those of the workloads before it, are more than a run can hold; nil if none is.
  var workloadWithTooManyItems: WorkloadIndex? {
    var left = Limits.items
    return workloads.indices.first { index in
      left -= ArrivalSchedule.count(
        of: workloads[index], before: .zero + duration, seed: seed, limit: left + 1)
      return left < 0
    }
  }
}

extension ScalarReader<TimeSpan> {
  fileprivate static var slice: Self {
    positiveDuration.checked("is too short; allowed: slices from \(Step.shortestSlice)") {
      $0 >= Step.shortestSlice
    }
  }
}

extension ScalarReader<Int> {
  fileprivate static var itemCount: Self { wholeNumber(in: 1...Limits.items) }
}

extension ScenarioDecoder {
  /// A duration, or a mapping from the name of a distribution to its parameters.
  func distribution(_ node: SourceNode) -> DurationDistribution? {
    if node.text != nil {
      return ScalarReader.duration.value(of: node, faults).map { .constant($0) }
    }
    let allowed = "a duration or one of \(Self.names.list)"
    if node.pairs?.contains(where: { $0.key == "recorded" }) == true { return recorded(node) }
    for pair in node.pairs ?? [] where !Self.names.contains(pair.key) {
      let remedy = Spelling.suggestion(for: pair.key, among: Self.names)
      faults.record("\(pair.key.quoted) is not a distribution\(remedy)", at: pair.origin)
    }
    guard let pair = node.onlyPair(allowed, faults) else { return nil }
    switch pair.key {
    case "constant":
      return ScalarReader.duration.value(of: pair.value, faults).map { .constant($0) }
    case "uniform": return uniform(pair.value)
    case "normal": return normal(pair.value)
    case "exponential": return exponential(pair.value)
    default: return nil
    }
  }

  private static let names = ["constant", "uniform", "normal", "exponential", "recorded"]

  private func uniform(_ node: SourceNode) -> DurationDistribution? {
    guard let fields = Fields(node, of: "uniform", keys: ["from", "to"], faults) else { return nil }
    let from = fields.required("from", .duration)
    let to = fields.required("to", .duration)
    guard let from, let to else { return nil }
    if from > to {
      faults.record(
        "\(from) is above \(to); allowed: values of 'from' up to 'to'",
        at: fields.origin(of: "from"))
      return nil
    }
    return .uniform(from: from, to: to)
  }

  private func normal(_ node: SourceNode) -> DurationDistribution? {
    guard let fields = Fields(node, of: "normal", keys: ["mean", "deviation"], faults) else {
      return nil
    }
    let mean = fields.required("mean", .duration)
    let deviation = fields.required("deviation", .duration)
    guard let mean, let deviation else { return nil }
    return .normal(mean: mean, deviation: deviation)
  }

  private func exponential(_ node: SourceNode) -> DurationDistribution? {
    Fields(node, of: "exponential", keys: ["mean"], faults)?.required("mean", .duration)
      .map { .exponential(mean: $0) }
  }

  /// A column of durations in a file.
  func recorded(
    _ node: SourceNode, as what: String = "a recorded distribution"
  ) -> DurationDistribution? {
    Fields(node, of: what, keys: ["recorded", "column"], faults).flatMap(recorded)
  }

  private func recorded(_ fields: Fields) -> DurationDistribution? {
    let file = fields.required("recorded", .text)
    let column = fields.required("column", .text)
    guard let file, let column else { return nil }
    do throws(ScenarioFile.RecordingError) {
      return .recorded(try recording(file, column))
    } catch {
      faults.record(error.reason, at: fields.origin(of: "recorded"))
      return nil
    }
  }
}
