import FrameBudget

/// Decodes a whole file. Each part of the schema has an extension of its own.
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

  /// A stand-in for checking strategies when the app has faults: it has only the declared names.
  ///
  /// Nil if even those are unknown, so that no reference is called wrong.
  private func nominalExpansion(_ fields: Fields, on display: Display) -> Expansion? {
    guard let services = names(fields, "services", upTo: Limits.services),
      let workloads = names(fields, "workloads", upTo: Limits.workloads)
    else { return nil }
    var nominal = Scenario(name: "", display: display, duration: .seconds(1))
    nominal.services = PerService(services.map { Service(name: $0) })
    nominal.frameParts = partNames(fields).map {
      FramePart(name: $0, cpu: .none, ahead: FramePart.aheads.upperBound)
    }
    nominal.workloads = PerWorkload(
      workloads.map { Workload(name: $0, arrival: .at([]), steps: []) })
    return Expansion(of: nominal, workloads.map { _ in nil })
  }

  /// The declared parts of drawing.
  private func partNames(_ fields: Fields) -> [String] {
    let list = fields["ui"]?.pairs?.first { $0.key == "frame" }?.value
    guard case .sequence(let nodes) = list?.content else { return [] }
    return nodes.prefix(Limits.frameParts).compactMap(\.ownName)
  }

  /// The declared names under `key`, in the file's order.
  private func names(_ fields: Fields, _ key: String, upTo limit: Int) -> [String]? {
    guard let node = fields[key] else { return fields.isDecided(key) ? [] : nil }
    if case .sequence(let nodes) = node.content {
      return nodes.count > limit ? nil : nodes.compactMap(\.ownName)
    }
    return node.pairs.flatMap { $0.count > limit ? nil : $0.map(\.key) }
  }

  private static let keys = [
    "scenario", "about", "display", "duration", "warmup", "seed", "machine", "services",
    "resources", "workloads", "ui", "costs", "strategies", "expect", "phase", "learned",
  ]

  /// The app and its screen, without strategies and expectations.
  ///
  /// A valid placeholder replaces each unreadable value, so that all faults are found.
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
    let resources = self.resources(fields)
    scenario.resources = PerResource(resources ?? [])
    let names = StepNames(
      services: table, resources: resources.map { NameTable("resource", $0.map(\.name)) })
    scenario.workloads = PerWorkload(workloads(fields, names))
    if let node = fields["ui"],
      let ui = Fields(node, of: "ui", keys: ["reads", "account", "switches", "frame"], faults)
    {
      scenario.reads = reads(ui, table, scenario.services) ?? []
      scenario.frameParts = frameParts(ui)
      scenario.accounts = self.accounts(accounts, ui)
    } else {
      scenario.accounts = Accounts(names: accounts)
    }
    guard let node = fields["costs"], let services else { return scenario }
    return costing(scenario, node, services)
  }

  /// If it cannot be read, a screen that allows every strategy.
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
        + "allowed: from 1 to \(Limits.frames)", at: node.origin)
  }
}

extension ScalarReader<TimeSpan> {
  fileprivate static var warmup: Self {
    duration.checked("is out of range; allowed: durations up to \(Limits.warmup)") {
      $0 <= Limits.warmup
    }
  }
}

extension ScenarioDecoder {
  /// The name that means all work on a processor, instead of a service.
  private static let everything = "all"

  /// `{all: 1.2, SERVICE: 1.5}`: factors for the costs in the rest of the file. A service's costs are multiplied by both.
  func costing(_ scenario: Scenario, _ node: SourceNode, _ services: [Service]) -> Scenario {
    let keys = [Self.everything] + services.map(\.name)
    guard let fields = Fields(node, of: "costs", keys: keys, faults) else { return scenario }
    var scenario = scenario
    for (index, service) in scenario.services.indexed {
      guard let factor = fields.optional(service.name, .costFactor), service.name != Self.everything
      else { continue }
      scenario = scenario.costing(factor, in: [index])
    }
    return fields.optional(Self.everything, .costFactor).map(scenario.costing) ?? scenario
  }
}

// The simulated machine.
extension ScenarioDecoder {
  private static let machineKeys = ["cores", "speeds", "scheduler", "pools", "slice", "busy"]

  /// Nil if it cannot be read.
  func machine(_ node: SourceNode) -> Machine? {
    guard let fields = Fields(node, of: "machine", keys: Self.machineKeys, faults),
      var machine = cores(fields)
    else { return nil }
    machine.scheduler = fields.optional("scheduler", .choice("a scheduler")) ?? machine.scheduler
    machine.hasPools = fields.optional("pools", .flag) ?? machine.hasPools
    machine.slice = fields.optional("slice", .slice)
    machine.busy = fields.optional("busy", .wholeNumber(in: Machine.busyThreads)) ?? 0
    return machine
  }

  private func cores(_ fields: Fields) -> Machine? {
    let cores = fields.optional("cores", .wholeNumber(in: 1...Limits.cores))
    guard let list = fields["speeds"] else {
      if fields["cores"] == nil { return Machine() }
      return cores.map { Machine(cores: $0) }
    }
    let speeds = list.items(of: "cores' speeds", limit: Limits.cores, faults)?
      .compactMap { ScalarReader.speed.value(of: $0, faults) }
    guard let speeds else { return nil }
    if speeds.isEmpty || cores.map({ $0 != speeds.count }) == true {
      faults.record(
        "there are \(speeds.count) speeds; allowed: one for each core", at: list.origin)
      return nil
    }
    return Machine(speeds: speeds)
  }
}

extension ScalarReader<TimeSpan> {
  fileprivate static var slice: Self {
    let (least, most) = (Machine.slices.lowerBound, Machine.slices.upperBound)
    return duration.checked(
      "is out of range; allowed: durations from \(least) to \(most)", Machine.slices.contains)
  }
}

// The screen, the frame pipeline, and the main loop.
extension ScenarioDecoder {
  func display(_ node: SourceNode) -> Display? {
    let keys = [
      "refresh", "render", "like", "deadline", "buffers", "compositor", "gpu", "frames",
      "main-loop", "frame-time",
    ]
    guard let fields = Fields(node, of: "display", keys: keys, faults) else { return nil }
    let refresh = fields.required("refresh", .refreshRate)
    let render = fields["render"].flatMap(distribution) ?? .none
    let platform: ScreenPlatform? = fields.optional("like", .choice("a platform"))
    let pipeline = pipeline(fields, platform?.pipeline ?? Pipeline())
    let mainLoop = mainLoop(fields, platform?.mainLoop ?? .frame)
    let frames = frames(fields, mainLoop, platform?.frames ?? .always)
    return refresh.map {
      Display(
        refresh: $0, render: render, pipeline: pipeline, frames: frames, mainLoop: mainLoop,
        platform: platform)
    }
  }

  private func pipeline(_ fields: Fields, _ usual: Pipeline) -> Pipeline {
    let deadline =
      fields.optional("deadline", .wholeNumber(in: Pipeline.deadlines)) ?? usual.deadline
    let buffers = fields.optional("buffers", .wholeNumber(in: 1...Pipeline.maxBuffers))
    if fields["compositor"] != nil, let node = fields["gpu"] {
      faults.record(
        "a frame has one second stage; allowed: 'compositor', a thread, or 'gpu', which takes no core",
        at: node.origin)
    }
    let gpu = fields["gpu"].flatMap(distribution)
    let pipeline = Pipeline(
      deadline: deadline, buffers: buffers ?? max(usual.buffers, deadline),
      compositor: gpu ?? fields["compositor"].flatMap(distribution) ?? .none, usesGPU: gpu != nil)
    if let node = fields["buffers"], pipeline.buffers < pipeline.deadline {
      faults.record(
        "\(pipeline.buffers) buffers are fewer than the deadline of \(pipeline.deadline) periods needs; allowed: "
          + "\(pipeline.deadline) or more", at: node.origin)
    }
    return pipeline
  }

  /// `frame`, `events` or `{events: fifo, defer-after-input: 50 ms}`, and which vsync a frame of this loop belongs to.
  private func mainLoop(_ fields: Fields, _ usual: MainLoop) -> MainLoop {
    let time: MainLoop.Events.FrameTime? = fields.optional("frame-time", .choice("a frame time"))
    let loop = fields["main-loop"].flatMap(mainLoop) ?? usual
    if time != nil, loop == .frame {
      faults.record(
        "a loop of frames has no frame that waits; allowed: 'frame-time' together with "
          + "'main-loop: events'",
        at: fields.origin(of: "frame-time"))
    }
    guard case .events(var events) = loop else { return .frame }
    events.frameTime = time ?? usual.events?.frameTime ?? events.frameTime
    return .events(events)
  }

  private func mainLoop(_ node: SourceNode) -> MainLoop? {
    if node.text != nil {
      return ScalarReader<MainLoopName>.choice("a main loop").value(of: node, faults)?.loop
    }
    let keys = ["events", "batch", "defer-after-input"]
    guard let fields = Fields(node, of: "main-loop", keys: keys, faults) else { return nil }
    let order: MainLoop.Events.Order? = fields.required("events", .choice("an order of events"))
    let batch: MainLoop.Events.Batch? = fields.optional("batch", .choice("a batch of events"))
    let deferral = fields.optional("defer-after-input", .positiveDuration)
    if deferral != nil, batch == .queued {
      faults.record(
        "a turn of all that waits has inputs and what they defer; allowed: 'defer-after-input' together with 'batch: one'",
        at: fields.origin(of: "defer-after-input"))
    }
    return order.map {
      .events(MainLoop.Events(order: $0, batch: batch ?? .one, deferral: deferral))
    }
  }

  /// `always`, `on-demand`, or `{on-demand: [1 s, 2 s]}`, the instants at which a frame is wanted.
  private func frames(_ fields: Fields, _ loop: MainLoop, _ usual: FrameDemand) -> FrameDemand {
    let demand = fields["frames"].map(self.demand) ?? usual
    if demand.isOnDemand, loop == .frame {
      faults.record(
        "a loop of frames draws one at every vsync; allowed: 'on-demand' together with "
          + "'main-loop: events'",
        at: fields.origin(of: fields["frames"] == nil ? "main-loop" : "frames"))
    }
    return demand
  }

  private func demand(_ node: SourceNode) -> FrameDemand {
    if node.text != nil {
      let name = ScalarReader<FramesName>.choice("a demand for frames").value(of: node, faults)
      return name == .onDemand ? .onDemand(at: []) : .always
    }
    guard let fields = Fields(node, of: "frames", keys: ["on-demand"], faults),
      let node = fields.required("on-demand", "a list of instants, or a column of a file")
    else { return .always }
    return .onDemand(at: (node.pairs == nil ? instants(node) : recordedInstants(node)).sorted())
  }

  private func instants(_ list: SourceNode) -> [TimeSpan] {
    let nodes = list.items(of: "instants", limit: Limits.frames, faults) ?? []
    return nodes.compactMap { ScalarReader.duration.value(of: $0, faults) }
  }

  /// A column of instants in a file, from the start of the run.
  private func recordedInstants(_ node: SourceNode) -> [TimeSpan] {
    guard case .recorded(let column) = recorded(node, as: "recorded instants") else { return [] }
    return (0..<column.count).map { column[$0] }
  }

  /// Records a fault if frames are drawn on demand and nothing ever wants one.
  func checkDemand(_ scenario: Scenario, _ fields: Fields) {
    guard scenario.display.frames == .onDemand(at: []), scenario.workloads.isEmpty,
      let node = fields["display"]
    else { return }
    faults.record(
      "nothing ever wants a frame; allowed: 'on-demand' with workloads, or with instants such as "
        + "'frames: {on-demand: [1 s, 2 s]}'", at: node.origin)
  }
}

private enum MainLoopName: String, CaseIterable {
  case frame, events

  var loop: MainLoop { self == .frame ? .frame : .events(MainLoop.Events()) }
}

private enum FramesName: String, CaseIterable {
  case always
  case onDemand = "on-demand"
}
