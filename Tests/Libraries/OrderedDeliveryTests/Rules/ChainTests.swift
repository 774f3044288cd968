import OrderedDelivery
import TestSupport
import Testing

@Suite struct `A chain of stages` {
  @Test(arguments: Variant.all)
  func `keeps the order from a concurrent scheduler to a serial one`(_ variant: Variant) async {
    let (recorder, overlaps) = await onOwnThread {
      let pool = ConcurrentScheduler(name: "pool", width: 4)
      let screen = SerialScheduler(name: "screen")
      let (recorder, overlaps) = (Recorder<Int>(), Overlaps())
      let shown = variant.stage(on: screen) { number in overlaps.enter { recorder.add(number) } }
      let doubled = variant.stage(on: pool) { (number: Int) in shown.send(2 * number) }
      for number in 0..<1000 { doubled.send(number) }
      pool.waitUntilIdle()
      screen.waitUntilIdle()
      return (recorder, overlaps)
    }
    #expect(recorder.all == (0..<1000).map { 2 * $0 })
    #expect(overlaps.maximum == 1)
  }

  @Test func `merges several sources on one serial scheduler, each in its order`() async {
    let (recorder, overlaps) = await onOwnThread {
      let pool = ConcurrentScheduler(name: "pool", width: 4)
      let screen = SerialScheduler(name: "screen")
      let (recorder, overlaps) = (Recorder<[Int]>(), Overlaps())
      let shown = (0..<3).map { _ in
        OrderedStage<[Int]>(on: screen) { element in overlaps.enter { recorder.add(element) } }
      }
      for (source, stage) in shown.enumerated() {
        let made = OrderedStage<Int>(on: pool) { stage.send([source, $0]) }
        for number in 0..<300 { made.send(number) }
      }
      pool.waitUntilIdle()
      screen.waitUntilIdle()
      return (recorder, overlaps)
    }
    #expect(overlaps.maximum == 1)
    for source in 0..<3 {
      #expect(recorder.all.filter { $0[0] == source }.map { $0[1] } == Array(0..<300))
    }
  }
}
