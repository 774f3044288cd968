import FrameBudget

// The screen, how frames get there, and what the main loop takes up.
extension ScenarioDecoder {
  func display(_ node: SourceNode) -> Display? {
    let keys = [
      "refresh", "render", "like", "deadline", "buffers", "compositor", "frames", "main-loop",
      "frame-time",
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
        refresh: $0, render: render, pipeline: pipeline, frames: frames, mainLoop: mainLoop)
    }
  }

  private func pipeline(_ fields: Fields, _ usual: Pipeline) -> Pipeline {
    let deadline =
      fields.optional("deadline", .wholeNumber(in: Pipeline.deadlines)) ?? usual.deadline
    let buffers = fields.optional("buffers", .wholeNumber(in: 1...Pipeline.mostBuffers))
    let pipeline = Pipeline(
      deadline: deadline, buffers: buffers ?? max(usual.buffers, deadline),
      compositor: fields["compositor"].flatMap(distribution) ?? .none)
    if let node = fields["buffers"], pipeline.buffers < pipeline.deadline {
      faults.record(
        "\(pipeline.buffers) buffers are fewer than the deadline of \(pipeline.deadline) periods needs; allowed are "
          + "\(pipeline.deadline) or more", at: node.origin)
    }
    return pipeline
  }

  /// `frame`, `events` or `{events: fifo, batch: queued}`, and which vsync a frame of that belongs to.
  private func mainLoop(_ fields: Fields, _ usual: MainLoop) -> MainLoop {
    let time: MainLoop.Events.FrameTime? = fields.optional("frame-time", .choice("a frame time"))
    let loop = fields["main-loop"].flatMap(mainLoop) ?? usual
    if time != nil, loop == .frame {
      faults.record(
        "a loop of frames has no frame that waits; allowed is 'frame-time' beside 'main-loop: events'",
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
    guard let fields = Fields(node, of: "main-loop", keys: ["events", "batch"], faults) else {
      return nil
    }
    let order: MainLoop.Events.Order? = fields.required("events", .choice("an order of events"))
    let batch: MainLoop.Events.Batch? = fields.optional("batch", .choice("a batch of events"))
    return order.map { .events(MainLoop.Events(order: $0, batch: batch ?? .one)) }
  }

  /// `always`, `on-demand`, or `{on-demand: [1 s, 2 s]}`, the instants at which something wants a frame.
  private func frames(_ fields: Fields, _ loop: MainLoop, _ usual: FrameDemand) -> FrameDemand {
    let demand = fields["frames"].map(self.demand) ?? usual
    if demand.isOnDemand, loop == .frame {
      faults.record(
        "a loop of frames draws one at every vsync; allowed is 'on-demand' beside 'main-loop: events'",
        at: fields.origin(of: fields["frames"] == nil ? "main-loop" : "frames"))
    }
    return demand
  }

  private func demand(_ node: SourceNode) -> FrameDemand {
    if node.text != nil {
      let name = ScalarReader<FramesName>.choice("what wants frames").value(of: node, faults)
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

  /// A column of instants in a file, from the begin of the run.
  private func recordedInstants(_ node: SourceNode) -> [TimeSpan] {
    guard case .recorded(let column) = recorded(node, as: "recorded instants") else { return [] }
    return (0..<column.count).map { column[$0] }
  }

  /// Records that nothing ever asks for a frame, where they are drawn on demand.
  func checkDemand(_ scenario: Scenario, _ fields: Fields) {
    guard scenario.display.frames == .onDemand(at: []), scenario.workloads.isEmpty,
      let node = fields["display"]
    else { return }
    faults.record(
      "nothing ever asks for a frame; allowed is 'on-demand' with workloads, or with instants such as "
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
