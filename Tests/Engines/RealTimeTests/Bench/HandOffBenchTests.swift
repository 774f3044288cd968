import Foundation
import FrameBudget
import TestSupport
import Testing

@testable import FrameBudgetRealTime

/// The values of `bench` are not tested, because a busy machine changes them; the meaning of the measurements is.
@Suite(.serialized) struct `The hand-off benchmark` {
  static let carriers = CarrierSupply.ofThisBuild
  static let tiny = HandOffBench.Size(events: 200, idleEvents: 3)

  @Test(arguments: BenchSubject.all(of: carriers))
  func `measures every carrier from one producer and from two`(
    _ subject: BenchSubject
  ) async throws {
    let bench = HandOffBench(
      of: Self.carriers, subjects: [subject], repetitions: 1, size: Self.tiny)
    try await onOwnThread {
      let rows = try bench.measure(subject, repetition: 7)
      #expect(rows.map(\.producers) == [1, 2])
      for row in rows {
        #expect(row.carrier == subject.carrier)
        #expect(row.queue == subject.queue)
        #expect(row.verb == subject.verb)
        #expect(row.repetition == 7)
        #expect(row.eventsPerSecond > 0)
        #expect(row.post.p50 <= row.post.p99 && row.post.p99 <= row.post.max)
        #expect((row.idle != nil) == (row.producers == 1))
        if let idle = row.idle {
          #expect(idle.latency.p50 > 0)
          #expect(idle.latency.p50 <= idle.latency.p99 && idle.latency.p99 <= idle.latency.max)
        }
        #expect((row.wakesPerThousand != nil) == Self.knowsWakes(subject.carrier))
      }
    }
  }

  private static func knowsWakes(_ carrier: CarrierKind?) -> Bool {
    guard let carrier else { return true }
    return ![.dispatch, .operationQueue, .actor, .ordered, .jobQueue].contains(carrier)
  }

  @Test func `measures our scheduler with each of its queues, and all other carriers except main`()
  {
    let all = BenchSubject.all(of: Self.carriers)
    let ours = all.filter { $0.carrier == .scheduler }
    #expect(ours.map(\.queue) == ["stack", "stack", "swap"])
    #expect(ours.map(\.verb) == [nil, "object.schedule", nil])
    #expect(Set(all.compactMap(\.carrier)) == Set(Self.carriers.kinds))
    #expect(all.filter { $0.carrier == nil } == [.limit])
    #expect(all.count == Self.carriers.kinds.count + 3)
  }

  @Test func `starts each repetition with another subject, and covers all`() {
    let bench = HandOffBench(of: Self.carriers, repetitions: 3)
    let all = BenchSubject.all(of: Self.carriers)
    let count = all.count
    let plan = bench.plan
    #expect(plan.map(\.repetition) == [1, 2, 3].flatMap { Array(repeating: $0, count: count) })
    for repetition in 0..<3 {
      let subjects = plan[repetition * count..<(repetition + 1) * count].map(\.subject)
      #expect(Set(subjects) == Set(all))
      #expect(subjects.first == all[repetition])
    }
  }
}

@Suite struct `A stream of events` {
  @Test(arguments: [1, 2, 3])
  func `posts each number once, however many share the work`(_ producers: Int) async throws {
    try await onOwnThread {
      let carrier = RecordingCarrier()
      let stream = EventStream(carrier: carrier, producers: producers, events: 100, isTimed: true)
      let outcome = try stream.run()
      #expect(carrier.numbers.sorted() == Array(0..<100))
      #expect(outcome.posts.count == 100)
      #expect(outcome.posts.allSatisfy { $0 >= 0 })
      #expect(outcome.nanoseconds > 0)
    }
  }

  @Test func `times posts only on request`() async throws {
    try await onOwnThread {
      let outcome = try EventStream(carrier: RecordingCarrier(), producers: 1, events: 5).run()
      #expect(outcome.posts.isEmpty)
    }
  }

  @Test func `notices a carrier that runs one event twice and another never`() async throws {
    await onOwnThread {
      let stream = EventStream(carrier: RecordingCarrier(repeats: 3), producers: 1, events: 10)
      #expect(throws: CarrierError.self) { try stream.run() }
    }
  }
}

@Suite struct `Switches of a thread` {
  @Test func `are read from the kernel's status of the thread`() {
    let status = "Name:\tbench\nvoluntary_ctxt_switches:\t1234\nnonvoluntary_ctxt_switches:\t5\n"
    #expect(ThreadSwitches.voluntary(in: status) == 1234)
    #expect(ThreadSwitches.voluntary(in: "Name:\tbench\n") == nil)
  }

  @Test func `grow when a thread sleeps and is woken`() async throws {
    try await onOwnThread {
      let carrier = try ThreadCarrier(Lane(name: "switches", carrier: .thread))
      let switches = ThreadSwitches(of: carrier)
      let before = try #require(switches.count)
      let probe = IdleProbe(
        carrier: carrier, samples: 50, rest: .milliseconds(1), spread: .zero)
      #expect(probe.run().latencies.count == 50)
      #expect(try #require(switches.count) > before)
      carrier.stop()
      // A thread that joins another may be awake before the kernel has removed the other.
      #expect(becomesTrue { switches.count == nil })
    }
  }
}
