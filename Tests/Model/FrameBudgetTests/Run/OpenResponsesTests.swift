import FrameBudget
import Testing

@Suite struct `Responses that are open` {
  private static let plan: RunPlan = {
    let step = Step(name: "step", service: 0, load: .cpu(.constant(.milliseconds(1))))
    let scenario = Scenario(
      name: "taps", display: Display(refresh: RefreshRate(60)), duration: .seconds(10),
      services: [Service(name: "service")],
      workloads: [
        Workload(name: "file", arrival: .once(500, start: .zero), steps: [step]),
        Workload(
          name: "tap", arrival: .batch(1, every: .milliseconds(500), start: .milliseconds(250)),
          steps: [step], respondWithin: .milliseconds(100)),
      ])
    return RunPlan(
      scenario, under: Strategy(name: "test", arrangement: Arrangement.onMain(scenario)))
  }()

  private func answer(_ arrival: Double, after span: Double) -> Response {
    Response(workload: 1, arrival: .ms(arrival), span: .ms(span))
  }

  @Test func `are overdue when they have been open for longer than allowed`() {
    var open = OpenResponses(Self.plan)
    #expect(open.overdue(at: .ms(250)).count == 0)
    #expect(open.overdue(at: .ms(350)).count == 0)
    #expect(open.overdue(at: .ms(350.000001)).count == 1)
    #expect(open.overdue(at: .ms(2000)) == [1750, 1250, 750, 250].map { .ms($0) })
  }

  @Test func `are not overdue once they are answered, in time or late, in any order`() {
    var open = OpenResponses(Self.plan)
    open.answered(answer(250, after: 50))
    #expect(open.overdue(at: .ms(400)).count == 0)
    #expect(open.overdue(at: .ms(1900)).count == 3)
    open.answered(answer(1750, after: 150))
    #expect(open.overdue(at: .ms(1900)).count == 2)
    open.answered(answer(750, after: 1150))
    open.answered(answer(1250, after: 700))
    #expect(open.overdue(at: .ms(2000)).count == 0)
    #expect(open.overdue(at: .ms(2400)).count == 1)
  }

  @Test func `count added inputs, and no items without a user who waits`() {
    var open = OpenResponses(Self.plan)
    #expect(open.overdue(at: .ms(200)).count == 0)
    open.add(3, of: 1, at: .ms(200))
    open.add(9, of: 0, at: .ms(200))
    #expect(open.overdue(at: .ms(300)).count == 0)
    #expect(open.overdue(at: .ms(301)).count == 3)
    open.answered(Response(workload: 0, arrival: .ms(200), span: .ms(1)))
    #expect(open.overdue(at: .ms(351)).count == 4)
  }

  @Test func `count no arrivals after the run's end, even if they are counted late`() {
    var open = OpenResponses(Self.plan)
    #expect(open.overdue(at: .ms(9900)).count == 20)
    #expect(open.overdue(at: .ms(12_000)).count == 20)
  }
}
