import FrameBudget
import FrameBudgetSimulation
import Testing

/// Results of inputs, calculated by hand: vsyncs are 10 ms apart, drawing takes 2 ms, no costs except the work itself.
struct InteractionAnswersTests {
  /// The longest interaction and its parts, in milliseconds.
  struct Answer: Equatable, CustomTestStringConvertible {
    let inp, inputDelay, processing, presentationDelay: Double?

    init(_ inp: Double?, _ inputDelay: Double?, _ processing: Double?, _ presentation: Double?) {
      (self.inp, self.inputDelay) = (inp, inputDelay)
      (self.processing, presentationDelay) = (processing, presentation)
    }

    init(_ run: RunMetrics) {
      self.init(
        run["inp_ms"], run["inp_input_delay_ms"], run["inp_processing_ms"],
        run["inp_presentation_ms"])
    }

    var testDescription: String {
      [inp, inputDelay, processing, presentationDelay].map { $0.map { "\($0)" } ?? "-" }
        .joined(separator: " ")
    }
  }

  private static let ofFrames = MainLoop.frame
  private static let ofEvents = MainLoop.events(MainLoop.Events())

  /// Inputs at these milliseconds, whose handlers take as long as said, beside a block of 30 ms where one is given.
  private static func scenario(
    _ inputs: [Double], taking handlers: Double, block: Double? = nil, _ loop: MainLoop,
    isInput: Bool = true
  ) -> Scenario {
    func workload(_ name: String, _ at: [Double], _ span: Double) -> Workload {
      Workload(
        name: name, arrival: .at(at.map { TimeSpan.ms($0) }),
        steps: [Step(name: name, service: 0, load: .cpu(.constant(.ms(span))))])
    }
    var tap = workload("tap", inputs, handlers)
    tap.isInput = isInput
    return Scenario(
      name: "inputs",
      display: Display(refresh: RefreshRate(100), render: .constant(.ms(2)), mainLoop: loop),
      duration: .ms(200), machine: Machine(cores: 2), services: [Service(name: "app")],
      workloads: (block.map { [workload("block", [$0], 30)] } ?? []) + [tap])
  }

  @Test(
    arguments: [
      // Delivered at the vsync at 20, handled by 25, drawn by 27, shown at 30: 17 ms.
      (scenario([13], taking: 5, ofFrames), Answer(16, 7, 5, 4)),
      // Handled by 50, shown at 60: 47 ms.
      (scenario([13], taking: 30, ofFrames), Answer(48, 7, 30, 11)),
      // Handled one after the other by 30, shown at 40: 27 and 26 ms, of which the longer is that at 13.
      (scenario([13, 14], taking: 5, ofFrames), Answer(24, 7, 10, 7)),
      // Behind a block from 20 on: handled from 50 to 55, shown at 60.
      (scenario([13], taking: 5, block: 12, ofFrames), Answer(48, 37, 5, 6)),
      // Handled as it comes, drawn at 20, shown at 30.
      (scenario([13], taking: 5, ofEvents), Answer(16, 0, 5, 11)),
      // The block ends at 42, the frame that waits at 44, the handlers at 49: shown at 60.
      (scenario([13], taking: 5, block: 12, ofEvents), Answer(48, 31, 5, 12)),
      // Nothing follows by the end of the run.
      (scenario([193], taking: 30, ofEvents), Answer(8, 0, 7, 1)),
    ] as [(Scenario, Answer)])
  func `on the main thread`(_ scenario: Scenario, _ answer: Answer) {
    let run = RunMetrics(scenario.run(.onMain(scenario)))
    #expect(run.log.status == .complete, "\(run.log.violations)")
    #expect(Answer(run) == answer)
    #expect(run["interactions"] == Double(scenario.workloads.last?.count ?? 0))
  }

  @Test(
    arguments: [
      (ofFrames, Answer(16, 7, 0, 9), 47), (ofEvents, Answer(16, 0, 0, 16), 37),
    ] as [(MainLoop, Answer, Double)])
  func
    `handlers that post the work are over at once, and the picture behind them is not the answer`(
      _ loop: MainLoop, _ answer: Answer, _ content: Double
    )
  {
    let scenario = Self.scenario([13], taking: 25, loop)
    let run = RunMetrics(scenario.run(scenario.inBackground()))
    #expect(Answer(run) == answer)
    #expect(run["content_ms_max"] == content)
  }

  /// The outlier is the first of two in one picture: the delay of the other ends with its own handlers, at 25.
  @Test func `parts are those of the interaction that counts`() {
    let inputs = [0, 1].map { Self.input($0 + 1, at: 13 + $0, handlers: 20 + 5 * $0) }
    let others = (3...60).map {
      Self.input(Int64($0), at: 1000 * Int64($0), handlers: 1000 * Int64($0))
    }
    let parts = Interactions(inputs + others).inp
    #expect(parts?.duration == .ms(24) && parts?.inputDelay == .ms(11))
    #expect(parts?.processing == .ms(5) && parts?.presentationDelay == .ms(8))
  }

  /// Handlers of 5 ms; the picture follows at 40 ms, or 10 ms after the input.
  private static func input(_ number: Int64, at: Int64, handlers: Int64) -> Interactions.Input {
    let ms: Int64 = 1_000_000
    return Interactions.Input(
      interaction: number, at: at * ms, handlers: handlers * ms...(handlers + 5) * ms,
      paint: (at < 40 ? 40 : at + 10) * ms)
  }

  @Test func `posting is what its handlers take then`() {
    let scenario = Self.scenario([13], taking: 30, Self.ofFrames)
    let run = RunMetrics(scenario.run(scenario.inBackground(), costs: .standard))
    let processing = run["inp_processing_ms"] ?? 0
    #expect(processing > 0 && processing < 1)
  }

  @Test func `a task that yields ends its handlers`() throws {
    var scenario = Self.scenario([13], taking: 5, Self.ofEvents)
    scenario.workloads[0].steps += scenario.workloads[0].steps.map { step in
      var step = step
      step.name = "rest"
      return step
    }
    var arrangement = Arrangement.onMain(scenario)
    #expect(Answer(RunMetrics(scenario.run(arrangement))) == Answer(16, 0, 10, 6))
    arrangement.yielding = Yielding()
    #expect(Answer(RunMetrics(scenario.run(arrangement))) == Answer(16, 0, 5, 11))
  }

  @Test func `without inputs there is no number`() {
    let scenario = Self.scenario([13], taking: 5, Self.ofEvents, isInput: false)
    let run = RunMetrics(scenario.run(.onMain(scenario)))
    #expect(Answer(run) == Answer(nil, nil, nil, nil) && run["interactions"] == nil)
  }

  @Test(arguments: StrategyCatalog.all.map(\.name))
  func `an input changes nothing that a run does`(_ name: String) throws {
    let plain = Scenario.cameraUpload(duration: .seconds(3))
    guard (try? StrategyCatalog.strategy(name, for: plain)) != nil else { return }
    var inputs = plain
    inputs.workloads[1].isInput = true
    let runs = [RunMetrics(try plain.run(name)), RunMetrics(try inputs.run(name))]
    for metric in MetricCatalog.all where !metric.name.hasPrefix("in") {
      #expect(metric.value(runs[0]) == metric.value(runs[1]), "\(metric.name)")
    }
    #expect(runs[0]["interactions"] == nil && runs[1]["interactions"] == 2)
    let parts = ["inp_input_delay_ms", "inp_processing_ms", "inp_presentation_ms"]
    let sum = parts.reduce(0) { $0 + (runs[1][$1] ?? -1) }
    #expect(abs(sum - (runs[1]["inp_ms"] ?? 0)) < 8.000001, "rounded, and no part below zero")
  }

  /// If all handlers of an input run at once on the main thread, the picture after them is its answer.
  @Test
  func `on the main thread the longest interaction is the longest response, in steps of 8 ms`()
    throws
  {
    var scenario = Scenario.cameraUpload(duration: .seconds(10))
    scenario.workloads[1].isInput = true
    for name in ["main-thread", "time-sliced", "throttled"] {
      let run = RunMetrics(try scenario.run(name))
      let longest = try #require(run.observed("response_ms_max"))
      guard !longest.isBound, run["inp_ms_is_bound"] == 0 else { continue }
      let steps = ((longest.value + 4) / 8).rounded(.down) * 8
      #expect(run["inp_ms"] == steps, "\(name): \(longest.value)")
    }
  }
}

extension Workload {
  /// The number of arriving items, at stated instants.
  fileprivate var count: Int {
    if case .at(let instants) = arrival { instants.count } else { -1 }
  }
}
