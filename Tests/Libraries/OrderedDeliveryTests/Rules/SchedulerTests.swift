import Dispatch
import OrderedDelivery
import TestSupport
import Testing

@Suite struct `A scheduler` {
  @Test func `that is serial runs one action at a time, in the order scheduled`() async {
    let (recorder, overlaps) = await onOwnThread {
      let serial = SerialScheduler(name: "serial")
      let (recorder, overlaps) = (Recorder<Int>(), Overlaps())
      for number in 0..<1000 { serial.perform { overlaps.enter { recorder.add(number) } } }
      serial.waitUntilIdle()
      return (recorder, overlaps)
    }
    #expect(recorder.all == Array(0..<1000))
    #expect(overlaps.maximum == 1)
  }

  @Test func `traps with the reason if one of its own actions waits for it`() async {
    let serial = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let serial = SerialScheduler(name: "serial")
      serial.perform { serial.waitUntilIdle() }
      waitToBeStopped()
    }
    let pool = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let pool = ConcurrentScheduler(name: "pool", width: 2)
      pool.perform { pool.waitUntilIdle() }
      waitToBeStopped()
    }
    for result in [serial, pool] {
      let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
      #expect(message.contains("SchedulerTests.swift:"))
      #expect(message.contains("an action cannot wait until its own scheduler is idle"))
    }
  }

  @Test func `has no references but the waiter's when it is idle`() async {
    let kept = await onOwnThread {
      (0..<20_000).count { _ in
        weak var later: ConcurrentScheduler?
        do {
          let pool = ConcurrentScheduler(name: "pool", width: 2)
          later = pool
          pool.perform {}
          pool.waitUntilIdle()
        }
        return later != nil
      }
    }
    #expect(kept == 0)
  }

  @Test func `can be awaited by an action of another scheduler`() async {
    let seen = await onOwnThread {
      let serial = SerialScheduler(name: "serial")
      let pool = ConcurrentScheduler(name: "pool", width: 2)
      let seen = Recorder<Int>()
      serial.perform {
        pool.perform { seen.add(1) }
        pool.waitUntilIdle()
        seen.add(2)
      }
      serial.waitUntilIdle()
      return seen.all
    }
    #expect(seen == [1, 2])
  }

  @Test func `can wrap an existing queue`() async {
    let label = await onOwnThread {
      let key = DispatchSpecificKey<String>()
      let queue = DispatchQueue(label: "mine")
      queue.setSpecific(key: key, value: "mine")
      let (serial, recorder) = (SerialScheduler(queue), Recorder<String?>())
      serial.perform { recorder.add(DispatchQueue.getSpecific(key: key)) }
      serial.waitUntilIdle()
      return recorder.all
    }
    #expect(label == ["mine"])
  }

  @Test(arguments: LockKind.allCases)
  func `that is concurrent runs as many actions at once as it is wide, and no more`(
    _ lock: LockKind
  ) async {
    let (count, overlaps) = await onOwnThread {
      let pool = ConcurrentScheduler(name: "pool", width: 2, lock: lock)
      let (recorder, overlaps, gates) = (Recorder<Int>(), Overlaps(), [Gate(), Gate()])
      for number in 0..<2 {
        pool.perform {
          overlaps.enter {
            gates[number].open()
            gates[1 - number].wait()
          }
        }
      }
      for number in 0..<1000 { pool.perform { overlaps.enter { recorder.add(number) } } }
      pool.waitUntilIdle()
      return (recorder.count, overlaps)
    }
    #expect(count == 1000)
    #expect(overlaps.maximum == 2)
  }

  @Test func `of width one keeps the order`() async {
    let recorder = await onOwnThread {
      let (pool, recorder) = (ConcurrentScheduler(name: "pool", width: 1), Recorder<Int>())
      for number in 0..<1000 { pool.perform { recorder.add(number) } }
      pool.waitUntilIdle()
      return recorder
    }
    #expect(recorder.all == Array(0..<1000))
  }

  @Test func `is not idle before what its actions schedule has run`() async {
    let recorder = await onOwnThread {
      let (pool, recorder) = (ConcurrentScheduler(name: "pool", width: 2), Recorder<Int>())
      pool.perform {
        for number in 0..<10 { pool.perform { recorder.add(number) } }
      }
      pool.waitUntilIdle()
      return recorder
    }
    #expect(recorder.count == 10)
  }

  @Test func `accepts a delay longer than any clock`() {
    SerialScheduler(name: "never").perform(after: .seconds(Int64.max)) {}
  }
}
