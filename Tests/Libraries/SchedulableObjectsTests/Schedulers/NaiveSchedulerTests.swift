import Foundation
import TestSupport
import Testing

@testable import SchedulableObjects

@Suite struct NaiveSchedulerTests {
  @Test func `events run in the order sent`() throws {
    let scheduler = try NaiveScheduler(name: "naive")
    let seen = Recorder<Int>()
    let done = Gate()
    for number in 0..<1_000 { scheduler.schedule { seen.add(number) } }
    scheduler.schedule { done.open() }
    done.wait()
    #expect(seen.all == Array(0..<1_000))
    #expect(scheduler.lost == 0)
    scheduler.dispose()
  }

  @Test func `events that wait at the end, or come later, are lost and counted`() throws {
    let scheduler = try NaiveScheduler(name: "naive")
    let (running, gate) = (Gate(), Gate())
    scheduler.schedule {
      running.open()
      gate.wait()
    }
    running.wait()
    for _ in 0..<5 { scheduler.schedule { Issue.record("ran") } }
    scheduler.dispose()
    gate.open()
    while !scheduler.hasEnded {}
    scheduler.schedule { Issue.record("ran") }
    #expect(scheduler.lost == 6)
  }

  @Test func `an idle loop polls events only every tenth of a second`() throws {
    let scheduler = try NaiveScheduler(name: "naive")
    var waits: [Duration] = []
    for _ in 0..<8 {
      Thread.sleep(forTimeInterval: 0.02)  // so that the loop has found nothing, and sleeps
      let (sent, done) = (ContinuousClock.now, Gate())
      scheduler.schedule { done.open() }
      done.wait()
      waits.append(ContinuousClock.now - sent)
    }
    #expect(waits.contains { $0 > .milliseconds(10) })
    scheduler.dispose()
  }
}
