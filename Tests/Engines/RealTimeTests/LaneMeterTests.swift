import FrameBudget
import Testing

@testable import FrameBudgetRealTime

@Suite struct `A lane's meter` {
  private let clock = RunClock()

  @Test func `counts steps and waits that have ended`() {
    let meter = LaneMeter()
    let began = clock.now - .seconds(10)
    meter.stepBegan(at: began)
    meter.waitBegan(at: began + .milliseconds(2))
    meter.waitEnded(at: began + .milliseconds(5))
    meter.stepEnded(at: began + .milliseconds(9))
    let use = meter.use(by: clock)
    #expect(use == LaneUse(busy: .milliseconds(6), waiting: .milliseconds(3)))
  }

  @Test func `counts those under way up to now`() {
    let meter = LaneMeter()
    let began = clock.now - .seconds(10)
    meter.stepBegan(at: began)
    meter.stepBegan(at: began)
    meter.waitBegan(at: began + .seconds(4))
    let use = meter.use(by: clock)
    #expect(use.busy >= .seconds(14) && use.waiting >= .seconds(6))
    #expect(meter.use(by: clock).waiting >= use.waiting)
  }

  @Test func `never goes back`() {
    let meter = LaneMeter()
    let began = clock.now - .milliseconds(5)
    meter.stepBegan(at: began)
    let before = meter.use(by: clock)
    // The thread read the clock, and was delayed before it recorded the time.
    meter.stepEnded(at: began + .milliseconds(1))
    #expect(meter.use(by: clock).busy >= before.busy)
  }
}
