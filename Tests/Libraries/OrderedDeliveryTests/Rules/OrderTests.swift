import Dispatch
import OrderedDelivery
import TestSupport
import Testing

@Suite struct `The elements of one source` {
  @Test(arguments: Variant.all)
  func `are delivered in order and one at a time on a concurrent scheduler`(
    _ variant: Variant
  ) async {
    let (recorder, overlaps) = await onOwnThread {
      let pool = ConcurrentScheduler(name: "pool", width: 4)
      let (recorder, overlaps) = (Recorder<Int>(), Overlaps())
      let stage = variant.stage(on: pool) { number in overlaps.enter { recorder.add(number) } }
      for number in 0..<2000 { stage.send(number) }
      pool.waitUntilIdle()
      return (recorder, overlaps)
    }
    #expect(recorder.all == Array(0..<2000))
    #expect(overlaps.maximum == 1)
  }

  @Test(arguments: Variant.all)
  func `keep each sender's order when several threads send`(_ variant: Variant) async {
    let (recorder, overlaps) = await onOwnThread {
      let pool = ConcurrentScheduler(name: "pool", width: 4)
      let (recorder, overlaps) = (Recorder<[Int]>(), Overlaps())
      let stage = variant.stage(on: pool) { element in overlaps.enter { recorder.add(element) } }
      fromThreads(4) { sender in for number in 0..<500 { stage.send([sender, number]) } }
      pool.waitUntilIdle()
      return (recorder, overlaps)
    }
    #expect(recorder.count == 2000)
    #expect(overlaps.maximum == 1)
    for sender in 0..<4 {
      #expect(recorder.all.filter { $0[0] == sender }.map { $0[1] } == Array(0..<500))
    }
  }

  @Test func `lose their order on a concurrent scheduler without a stage`() async {
    let recorder = await onOwnThread {
      let pool = ConcurrentScheduler(name: "pool", width: 2)
      let (recorder, second) = (Recorder<Int>(), Gate())
      pool.perform {
        second.wait()
        recorder.add(0)
      }
      pool.perform {
        recorder.add(1)
        second.open()
      }
      pool.waitUntilIdle()
      return recorder
    }
    #expect(recorder.all == [1, 0])
  }

  @Test(arguments: Variant.all)
  func `of several sources are delivered at the same time`(_ variant: Variant) async {
    // Each delivery waits for the other one: were they not at the same time, the test would hang.
    let recorder = await onOwnThread {
      let pool = ConcurrentScheduler(name: "pool", width: 2)
      let (recorder, gates) = (Recorder<Int>(), [Gate(), Gate()])
      for source in 0..<2 {
        let stage = variant.stage(on: pool) { (number: Int) in
          gates[source].open()
          gates[1 - source].wait()
          recorder.add(number)
        }
        stage.send(source)
      }
      pool.waitUntilIdle()
      return recorder
    }
    #expect(recorder.all.sorted() == [0, 1])
  }
}
