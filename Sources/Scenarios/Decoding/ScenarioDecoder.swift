import FrameBudget

/// Decodes a whole file. Each part of the schema stands in an extension of its own.
struct ScenarioDecoder {
  let faults: Faults
  let recording: ScenarioFile.RecordingReader

  /// The scenario; nil once a fault is recorded.
  func scenario(_ root: SourceNode) -> Scenario? {
    guard let fields = Fields(root, of: "a scenario file", keys: Self.keys, faults) else {
      return nil
    }
    let declared = app(fields)
    guard
      let expansion = expansion(of: declared, checkedIn: fields)
        ?? nominalExpansion(fields, on: declared.display)
    else { return nil }
    var scenario = expansion.scenario
    let before = faults.count
    scenario.strategies = strategies(fields, expansion)
    let isListed = faults.count == before && fields.isDecided("strategies")
    scenario.expectations =
      fields["expect"].map { expectations($0, isListed ? scenario : nil) } ?? []
    scenario.aims = fields["expect"].map(aims) ?? []
    return faults.isEmpty ? scenario : nil
  }

  /// The app with its copies; nil once a fault is recorded.
  private func expansion(of declared: Scenario, checkedIn fields: Fields) -> Expansion? {
    guard faults.isEmpty else { return nil }
    checkFrames(declared, fields)
    checkDemand(declared, fields)
    checkItems(declared, fields)
    return expansion(of: declared, fields)
  }

  /// What strategies can be judged by where the app has faults of its own: the names that it declares.
  ///
  /// Nil where even those are not known, so that nothing is called wrong that refers to one.
  private func nominalExpansion(_ fields: Fields, on display: Display) -> Expansion? {
    guard let services = names(fields, "services", upTo: Limits.services),
      let workloads = names(fields, "workloads", upTo: Limits.workloads)
    else { return nil }
    var nominal = Scenario(name: "", display: display, duration: .seconds(1))
    nominal.services = PerService(services.map { Service(name: $0) })
    nominal.workloads = PerWorkload(
      workloads.map { Workload(name: $0, arrival: .at([]), steps: []) })
    return Expansion(of: nominal, workloads.map { _ in nil })
  }

  /// The names that are declared under `key`, in the file's order.
  private func names(_ fields: Fields, _ key: String, upTo limit: Int) -> [String]? {
    guard let node = fields[key] else { return fields.isDecided(key) ? [] : nil }
    if case .sequence(let nodes) = node.content {
      return nodes.count > limit ? nil : nodes.compactMap(\.ownName)
    }
    return node.pairs.flatMap { $0.count > limit ? nil : $0.map(\.key) }
  }

  private static let keys = [
    "scenario", "about", "display", "duration", "warmup", "seed", "machine", "services",
    "workloads", "ui", "costs", "strategies", "expect", "phase", "learned",
  ]

  /// The app and its screen: everything but what runs where and what must come out.
  ///
  /// Something harmless stands in for what cannot be read, so that all faults are met.
  private func app(_ fields: Fields) -> Scenario {
    var accounts: [String] = []
    let services = self.services(fields, accounts: &accounts)
    let table = services.map { NameTable<Service>("service", $0.map(\.name)) }
    var scenario = Scenario(
      name: fields.required("scenario", .name) ?? "",
      about: fields.optional("about", .text) ?? "",
      display: screen(fields),
      duration: fields.required("duration", .positiveDuration) ?? .seconds(1))
    scenario.warmup = fields.optional("warmup", .warmup) ?? scenario.warmup
    scenario.seed = fields.optional("seed", .seed) ?? scenario.seed
    scenario.phase = fields.optional("phase", .choice("a phase")) ?? scenario.phase
    scenario.learned = fields["learned"].flatMap(learned)
    scenario.machine = fields["machine"].flatMap(machine) ?? scenario.machine
    scenario.services = PerService(services ?? [])
    scenario.workloads = PerWorkload(workloads(fields, table))
    if let node = fields["ui"],
      let ui = Fields(node, of: "ui", keys: ["reads", "account", "switches"], faults)
    {
      scenario.reads = reads(ui, table) ?? []
      scenario.accounts = self.accounts(accounts, ui)
    } else {
      scenario.accounts = Accounts(names: accounts)
    }
    guard let node = fields["costs"], let services else { return scenario }
    return costing(scenario, node, services)
  }

  /// Where it cannot be read, one on which every strategy is possible.
  private func screen(_ fields: Fields) -> Display {
    let before = faults.count
    let display = fields.required("display", "a mapping of refresh, render").flatMap(display)
    guard let display, faults.count == before else {
      return Display(refresh: RefreshRate(60), mainLoop: .events(MainLoop.Events()))
    }
    return display
  }

  /// `{source: FILE, coverage: 0.93, replay: good}`.
  private func learned(_ node: SourceNode) -> Learned? {
    let keys = ["source", "coverage", "replay"]
    guard let fields = Fields(node, of: "learned", keys: keys, faults) else { return nil }
    let source = fields.required("source", .text)
    let coverage = fields.required("coverage", .share)
    let replay: Learned.Replay? = fields.required("replay", .choice("a verdict on the replay"))
    guard let source, let coverage, let replay else { return nil }
    return Learned(source: source, coverage: coverage, replay: replay)
  }

  private func checkFrames(_ scenario: Scenario, _ fields: Fields) {
    let frames = scenario.display.refresh.vsyncs(through: .zero + scenario.duration)
    guard !(1...Limits.frames).contains(frames), let node = fields["duration"] else { return }
    faults.record(
      "\(scenario.duration) at \(scenario.display.refresh) are \(frames) frames; "
        + "allowed are from 1 to \(Limits.frames)", at: node.origin)
  }
}

extension ScalarReader<TimeSpan> {
  fileprivate static var warmup: Self {
    duration.checked("is out of range; allowed are durations up to \(Limits.warmup)") {
      $0 <= Limits.warmup
    }
  }
}
