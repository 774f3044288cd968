import OrderedDelivery
import TestSupport
import Testing

@Suite struct `A task that waits until a scheduler is idle` {
  @Test func `resumes after all sent actions, on a serial scheduler`() async {
    let (serial, recorder) = (SerialScheduler(name: "serial"), Recorder<Int>())
    for number in 0..<100 { serial.perform { recorder.add(number) } }
    await serial.untilIdle()
    #expect(recorder.all == Array(0..<100))
  }

  @Test func `resumes after actions sent by actions, on a concurrent scheduler`() async {
    let (pool, recorder) = (ConcurrentScheduler(name: "pool", width: 3), Recorder<Int>())
    for number in 0..<50 {
      pool.perform {
        recorder.add(number)
        pool.perform { recorder.add(100 + number) }
      }
    }
    await pool.untilIdle()
    #expect(recorder.all.sorted() == Array(0..<50) + Array(100..<150))
  }

  @Test func `resumes at once if nothing runs`() async {
    await SerialScheduler(name: "serial").untilIdle()
    await ConcurrentScheduler(name: "pool", width: 2).untilIdle()
  }
}
