import FrameBudget

extension ScenarioDecoder {
  static let workloadKeys = [
    "name", "item", "arrival", "steps", "files", "result", "priority", "respond_within", "draws",
    "shows", "copies", "own",
  ]

  func workloads(_ fields: Fields, _ services: NameTable<Service>?) -> [Workload] {
    guard let list = fields["workloads"],
      let nodes = list.items(of: "workloads", limit: Limits.workloads, faults)
    else { return [] }
    return unique("workload", nodes) { workload($0, services) }
  }

  /// Decodes each of `nodes`; those that give a `name` must give one of their own.
  private func unique<Value>(
    _ kind: String, _ nodes: [SourceNode], _ decode: (SourceNode) -> Value?
  ) -> [Value] {
    let names = nodes.compactMap { node -> (String, Origin)? in
      guard let name = node.pairs?.first(where: { $0.key == "name" })?.value else { return nil }
      return name.text.map { ($0, name.origin) }
    }
    faults.recordDuplicates(kind, names)
    return nodes.compactMap(decode)
  }

  private func workload(_ node: SourceNode, _ services: NameTable<Service>?) -> Workload? {
    guard let fields = Fields(node, of: "a workload", keys: Self.workloadKeys, faults) else {
      return nil
    }
    let name = fields.required("name", .name)
    let item = fields.optional("item", .noun)
    let arrival = fields.required("arrival", "a mapping such as {once: 100}").flatMap(self.arrival)
    let steps = fields.required("steps", "a list of steps").flatMap { self.steps($0, services) }
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
    return workload
  }

  /// Files are there for steps that work on them, and the other way round.
  private func checkFiles(_ steps: [Step], _ fields: Fields) {
    if let working = steps.first(where: { $0.task != nil }), fields["files"] == nil {
      fields.recordMissing(
        "step \(working.name.quoted) works on files, but the workload has none; allowed is "
          + "'files: DIR' beside 'steps'")
    }
    // A task that cannot be read counts: the fault is its own.
    guard case .sequence(let nodes) = fields["steps"]?.content, fields["files"] != nil,
      !nodes.contains(where: { $0.pairs?.contains { $0.key == "do" } == true })
    else { return }
    faults.record(
      "no step works on these files; allowed is 'do: stat' in a step",
      at: fields.origin(of: "files"))
  }

  private func result(_ node: SourceNode) -> DurationDistribution? {
    Fields(node, of: "a result", keys: ["cpu"], faults)?
      .required("cpu", "a duration or a distribution").flatMap(distribution)
  }

  private func steps(_ list: SourceNode, _ services: NameTable<Service>?) -> [Step]? {
    guard let nodes = list.items(of: "steps", limit: Limits.steps, faults) else { return nil }
    if nodes.isEmpty {
      faults.record("there are no steps; allowed are 1 to \(Limits.steps)", at: list.origin)
    }
    var isAnyOpen = false
    let steps = unique("step", nodes) { node in
      let step = step(node, services)
      checkParts(step, node, &isAnyOpen)
      return step.map { [$0] + calls(of: node, services) }
    }.flatMap { $0 }
    if steps.count > Limits.steps {
      faults.record(
        "there are \(steps.count) steps with what they call; allowed are up to \(Limits.steps)",
        at: list.origin)
    }
    return steps
  }

  private func step(_ node: SourceNode, _ services: NameTable<Service>?) -> Step? {
    let keys = [
      "name", "service", "do", "cpu", "work", "touches", "wait", "calls", "await", "join",
    ]
    guard let fields = Fields(node, of: "a step", keys: keys, faults) else { return nil }
    let name = fields.optional("name", .name)
    let service = fields.required("service", "the name of a service")
    let index = service.flatMap { services?.index(of: $0, faults) }
    let task: FileTask? = fields.optional("do", .choice("a task"))
    let load = load(fields)
    let wait = fields["wait"].flatMap(distribution) ?? .none
    let isAwaited = fields.optional("await", .flag) ?? true
    let joins = fields.optional("join", .flag) ?? false
    guard let index, let load else { return nil }
    return Step(
      name: name ?? service?.text ?? "", service: index, load: load, task: task, wait: wait,
      isAwaited: isAwaited, joins: joins)
  }

  private func load(_ fields: Fields) -> Step.Load? {
    let given = fields.present(["cpu", "work"])
    if given.count == 2 {
      faults.record(
        "a step has both cpu and work; allowed is one of them", at: fields.origin(of: given[1]))
    }
    if fields["touches"] != nil, fields["work"] == nil {
      faults.record(
        "'touches' stands without work; allowed is 'work: 2.6 ms, touches: 1 MB'",
        at: fields.origin(of: "touches"))
    }
    if fields["do"] != nil, fields["cpu"] == nil {
      fields.recordMissing(
        "a step with 'do' has no cpu, which the virtual engine assumes; allowed is 'do: stat, cpu: 3 us'"
      )
      return nil
    }
    if let work = fields["work"] {
      let touches = fields.optional("touches", .bytes) ?? 0
      return distribution(work).map { .work($0, touches: touches) }
    }
    if let cpu = fields["cpu"] { return distribution(cpu).map { .cpu($0) } }
    if fields["wait"] != nil { return .cpu(.none) }
    fields.recordMissing("a step does nothing; allowed are cpu, work, wait")
    return nil
  }
}
