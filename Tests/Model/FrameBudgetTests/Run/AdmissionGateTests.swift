import FrameBudget
import Testing

/// A gate with its plan. A class, because `#expect` takes no mutating calls.
private final class OpenGate {
  let plan: RunPlan
  var gate: AdmissionGate

  init(_ plan: RunPlan) {
    self.plan = plan
    gate = AdmissionGate(plan)
  }

  convenience init(steps: [Step], _ fitting: Admission.Fitting) {
    self.init(Scenario.with([.files(steps: steps)]).onMain(admission: .fitting(fitting)))
  }

  func open(vsync: Int, reserve: Double) { gate.open(vsync: vsync, reserve: .ms(reserve)) }

  func admits(_ waiting: Int) -> Int { gate.admits(waiting) }

  func starts(_ workload: WorkloadIndex = 0, step: Int = 0, at now: Instant) -> Bool {
    gate.starts(workload, step: step, item: 0, of: plan, at: now)
  }
}

@Suite struct AdmissionGateTests {
  private let rate = RefreshRate(60)

  @Test func `without a rule nothing waits`() {
    let gate = OpenGate(Scenario.with().onMain())
    gate.open(vsync: 0, reserve: 1000)
    #expect(!gate.gate.holdsBack[0] && !gate.gate.fillsFrames && !gate.gate.slicesSteps)
    #expect(gate.admits(5) == 0)
    #expect(gate.starts(at: .ms(500)))
  }

  @Test func `a throttle holds back, time slicing fills frames`() {
    let throttle = OpenGate(Scenario.with().onMain(admission: .batch(5, every: .seconds(1))))
    #expect(throttle.gate.holdsBack[0] && !throttle.gate.fillsFrames)
    let slices = OpenGate(steps: [.cpu(1)], .init())
    #expect(slices.gate.holdsBack[0] && slices.gate.fillsFrames)
    slices.open(vsync: 0, reserve: 0)
    #expect(slices.admits(5) == 0, "what fits starts one by one")
  }

  @Test func `holds back only items that no user waits for`() {
    let workloads = [Workload.files(name: "files"), .files(priority: .user, name: "taps")]
    let gate = AdmissionGate(Scenario.with(workloads).onMain(admission: .batch(1, every: .zero)))
    #expect(gate.holdsBack == [true, false])
  }

  // MARK: Throttling

  /// The items admitted at each vsync, of the waiting numbers in `waiting`.
  private func admitted(_ batch: Int, every interval: TimeSpan, _ waiting: [Int: Int]) -> [Int: Int]
  {
    var gate = AdmissionGate(Scenario.with().onMain(admission: .batch(batch, every: interval)))
    return waiting.keys.sorted().reduce(into: [:]) { admitted, vsync in
      gate.open(vsync: vsync, reserve: .zero)
      admitted[vsync] = gate.admits(waiting[vsync] ?? 0)
    }
  }

  @Test func `a batch is admitted in the first frame an interval after the last admission`() {
    let admitted = admitted(
      1000, every: .seconds(5),
      [0: 2500, 1: 1500, 157: 1500, 299: 1500, 300: 1500, 599: 500, 600: 500])
    #expect(admitted == [0: 1000, 1: 0, 157: 0, 299: 0, 300: 1000, 599: 0, 600: 500])
  }

  @Test func `the interval counts from the last admission, not from a grid`() {
    let admitted = admitted(
      10, every: .seconds(1), [0: 0, 30: 0, 50: 3, 60: 9, 109: 9, 110: 9, 169: 5, 175: 5])
    #expect(admitted == [0: 0, 30: 0, 50: 3, 60: 0, 109: 0, 110: 9, 169: 0, 175: 5])
  }

  @Test func `without an interval every frame admits a batch`() {
    #expect(admitted(2, every: .zero, [0: 5, 1: 3, 2: 1]) == [0: 2, 1: 2, 2: 1])
  }

  // MARK: Time slicing

  /// The number of `items` that start at each vsync, each at its cost, beside `reserve`.
  private func started(
    _ fitting: Admission.Fitting, item: Double, reserve: Double, frames: Int, learns: Bool = true
  ) -> [Int] {
    let plan = Scenario.with([.files(.once(1000, start: .zero), steps: [.cpu(item)])])
      .onMain(admission: .fitting(fitting))
    var gate = AdmissionGate(plan)
    if learns { gate.learn(reserve: .ms(reserve)) }
    return (0..<frames).map { frame in
      gate.open(vsync: frame, reserve: .ms(reserve))
      var now = rate.vsync(frame)
      var count = 0
      while count < 100, gate.starts(0, step: 0, item: 0, of: plan, at: now) {
        now = now + .ms(item)
        gate.learn(0, step: 0, took: .ms(item))
        count += 1
      }
      return count
    }
  }

  @Test func `with look-ahead two files of 2.6 ms fit beside 10 ms of drawing`() {
    let fitting = Admission.Fitting(estimate: .exact, lookAhead: true)
    #expect(started(fitting, item: 2.6, reserve: 10, frames: 3) == [2, 2, 2])
  }

  @Test func `without look-ahead a third file starts in the remaining time`() {
    let fitting = Admission.Fitting(estimate: .exact, lookAhead: false)
    #expect(started(fitting, item: 2.6, reserve: 10, frames: 3) == [3, 3, 3])
  }

  @Test func `a learned cost counts from the second item on`() {
    #expect(started(.init(), item: 5, reserve: 10, frames: 3) == [1, 1, 1])
    #expect(started(.init(), item: 7, reserve: 10, frames: 3) == [1, 1, 1], "too large: alone")
    #expect(
      started(.init(), item: 2.6, reserve: 10, frames: 3, learns: false) == [6, 6, 6],
      "a reserve that was not learned is zero")
  }

  @Test func `an item that ends exactly with the budget fits`() {
    let fitting = Admission.Fitting(estimate: .exact)
    #expect(started(fitting, item: 6.666666, reserve: 10, frames: 1) == [1])
    #expect(started(fitting, item: 3.333333, reserve: 10, frames: 1) == [2])
    #expect(started(fitting, item: 3.333334, reserve: 10, frames: 1) == [1])
  }

  @Test(arguments: Admission.Fitting.Estimate.allCases)
  func `an item too large for any frame starts alone, first in its frame`(
    estimate: Admission.Fitting.Estimate
  ) {
    let fitting = Admission.Fitting(estimate: estimate)
    #expect(started(fitting, item: 20, reserve: 10, frames: 4) == [1, 1, 1, 1])
    #expect(started(fitting, item: 2, reserve: 18, frames: 2).allSatisfy { $0 == 1 })
  }

  @Test func `an item that never quite fits starts after ten frames in which nothing started`() {
    let workloads = [Workload.files(steps: [.cpu(6.6)], name: "long")]
    let gate = OpenGate(
      Scenario.with(workloads).onMain(admission: .fitting(.init(estimate: .exact))))
    let started = (0..<24).filter { vsync in
      gate.open(vsync: vsync, reserve: 10)
      return gate.starts(0, at: rate.vsync(vsync) + .ms(0.1))
    }
    #expect(started == [10, 21])
  }

  @Test func `an item that is too large waits if a smaller one has started`() {
    let workloads = [Workload.files(name: "small"), .files(steps: [.cpu(20)], name: "large")]
    let gate = OpenGate(
      Scenario.with(workloads).onMain(admission: .fitting(.init(estimate: .exact))))
    gate.open(vsync: 0, reserve: 10)
    #expect(gate.starts(0, at: .zero))
    #expect(!gate.starts(1, at: .ms(2.6)))
    gate.open(vsync: 1, reserve: 10)
    #expect(gate.starts(1, at: rate.vsync(1)))
    #expect(!gate.starts(0, at: rate.vsync(1) + .ms(20)))
  }

  @Test(arguments: [
    (Admission.Fitting.Unit.item, 9, true), (.item, 8.999999, false), (.step, 5, true),
    (.step, 4.999999, false),
  ])
  func `a unit is the whole item or one step`(
    unit: Admission.Fitting.Unit, available: Double, starts: Bool
  ) {
    let steps: [Step] = [.cpu(4, wait: .ms(1)), .cpu(4)]
    let gate = OpenGate(steps: steps, .init(estimate: .exact, unit: unit))
    gate.open(vsync: 0, reserve: 0)
    #expect(gate.starts(at: rate.vsync(1) - .ms(available)) == starts)
    #expect(gate.gate.slicesSteps == (unit == .step))
  }

  @Test func `the second step of an item counts only its remaining steps`() {
    let gate = OpenGate(steps: [.cpu(9), .cpu(2)], .init(estimate: .exact))
    gate.open(vsync: 0, reserve: 0)
    #expect(gate.starts(step: 1, at: rate.vsync(1) - .ms(2)))
    #expect(!gate.starts(step: 0, at: rate.vsync(1) - .ms(10)))
  }

  @Test(arguments: Admission.Fitting.Unit.allCases, Admission.Fitting.Estimate.allCases)
  func `an item without steps always fits`(
    unit: Admission.Fitting.Unit, estimate: Admission.Fitting.Estimate
  ) {
    let gate = OpenGate(steps: [], .init(estimate: estimate, unit: unit))
    gate.open(vsync: 0, reserve: 10)
    #expect(gate.starts(at: .zero))
  }

  @Test func `an estimate moves towards measured steps by an eighth of the difference`() {
    let gate = OpenGate(steps: [.cpu(100)], .init())
    gate.gate.learn(0, step: 0, took: .ms(8))
    gate.gate.learn(0, step: 0, took: .ms(16))  // 8 + 8 / 8 = 9
    gate.open(vsync: 0, reserve: 0)
    #expect(!gate.starts(at: rate.vsync(1) - .ms(8.999999)))
    #expect(gate.starts(at: rate.vsync(1) - .ms(9)))
  }

  // MARK: Results

  private func gate(_ fitting: Admission.Fitting, steps: [Step], result: Double) -> OpenGate {
    var workload = Workload.files(steps: steps)
    workload.result = .constant(.ms(result))
    let gate = OpenGate(Scenario.with([workload]).onMain(admission: .fitting(fitting)))
    gate.open(vsync: 0, reserve: 0)
    return gate
  }

  @Test(arguments: [(Admission.Fitting.Unit.item, 0, 9.0), (.step, 0, 4), (.step, 1, 5)])
  func `the result counts for the step that ends an item`(
    unit: Admission.Fitting.Unit, step: Int, cost: Double
  ) {
    let exact = gate(.init(estimate: .exact, unit: unit), steps: [.cpu(4), .cpu(4)], result: 1)
    #expect(!exact.starts(step: step, at: rate.vsync(1) - .ms(cost - 0.000001)))
    #expect(exact.starts(step: step, at: rate.vsync(1) - .ms(cost)))
  }

  @Test func `result costs are learned like step costs`() {
    let learned = gate(.init(), steps: [.cpu(4)], result: 1)
    learned.gate.learn(0, step: 0, took: .ms(4))
    learned.gate.learn(0, resultTook: .ms(8))
    learned.gate.learn(0, resultTook: .ms(16))  // 8 + 8 / 8 = 9
    #expect(!learned.starts(at: rate.vsync(1) - .ms(12.999999)))
    #expect(learned.starts(at: rate.vsync(1) - .ms(13)))
  }

  @Test func `without look-ahead one unit starts per frame even if drawing leaves no time`() {
    #expect(started(.init(lookAhead: false), item: 1, reserve: 16.666667, frames: 3) == [1, 1, 1])
    #expect(started(.init(lookAhead: false), item: 1, reserve: 30, frames: 3) == [1, 1, 1])
  }

  @Test func `without look-ahead a unit starts after ten frames in which other work left no time`()
  {
    let gate = OpenGate(steps: [.cpu(1)], .init(lookAhead: false))
    let started = (0..<24).filter { vsync in
      gate.open(vsync: vsync, reserve: 0)
      return gate.starts(at: rate.vsync(vsync + 1) + .ms(1))
    }
    #expect(started == [10, 21])
  }
}
