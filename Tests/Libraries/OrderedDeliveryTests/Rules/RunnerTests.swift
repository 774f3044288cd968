import OrderedDelivery
import TestSupport
import Testing

@Suite struct `A runner` {
  @Test(arguments: Variant.all)
  func `is scheduled by the first sender only`(_ variant: Variant) {
    let hand = HandScheduler()
    let stage = variant.stage(on: hand) { (_: Int) in }
    for number in 0..<10 { stage.send(number) }
    #expect(hand.scheduled == 1)
  }

  @Test func `that drains one element at a time is scheduled once per element`() {
    let hand = HandScheduler()
    let stage = OrderedStage<Int>(on: hand, drain: .item) { _ in }
    for number in 0..<10 { stage.send(number) }
    hand.run()
    #expect(hand.scheduled == 10)
  }

  @Test func `that drains a batch is scheduled once for all waiting elements`() {
    let hand = HandScheduler()
    let stage = OrderedStage<Int>(on: hand, drain: .batch) { _ in }
    for _ in 0..<2 {
      for number in 0..<10 { stage.send(number) }
      hand.run()
    }
    #expect(hand.scheduled == 2)
  }

  @Test func `leaves elements that arrive during a batch to the next one`() {
    let (hand, recorder) = (HandScheduler(), Recorder<Int>())
    let second = OrderedStage<Int>(on: hand, drain: .batch) { recorder.add($0) }
    let first = OrderedStage<Int>(on: hand, drain: .batch) { number in
      recorder.add(number)
      second.send(10 + number)
      second.send(20 + number)
    }
    for number in 0..<2 { first.send(number) }
    hand.run()
    #expect(recorder.all == [0, 1, 10, 20, 11, 21])
  }

  @Test func `that drains one element at a time alternates with other sources`() {
    let (hand, recorder) = (HandScheduler(), Recorder<Int>())
    let stages = (0..<2).map { _ in OrderedStage<Int>(on: hand) { recorder.add($0) } }
    for number in 0..<3 {
      for (tens, stage) in stages.enumerated() { stage.send(10 * tens + number) }
    }
    hand.run()
    #expect(recorder.all == [0, 10, 1, 11, 2, 12])
  }

  @Test(arguments: Variant.all)
  func `ends when nothing waits, and the next element gets a new one`(_ variant: Variant) {
    let (hand, recorder) = (HandScheduler(), Recorder<Int>())
    let stage = variant.stage(on: hand) { recorder.add($0) }
    for number in 0..<3 {
      stage.send(number)
      #expect(hand.run() == 1)
    }
    #expect(recorder.all == [0, 1, 2])
  }

  @Test(arguments: Variant.all)
  func `holds no lock while it delivers`(_ variant: Variant) async {
    // With the lock held, a stage that sends to itself would hang with two of the locks and nest with the third, and
    // so would another thread's send.
    let recorder = await onOwnThread {
      let pool = ConcurrentScheduler(name: "pool", width: 2)
      let (recorder, late) = (Recorder<Int>(), Late<OrderedStage<Int>>())
      let stage = variant.stage(on: pool) { number in
        recorder.add(number)
        guard number < 3 else { return }
        late.value?.send(number + 1)
        fromThreads(1) { _ in late.value?.send(10) }
      }
      late.value = stage
      stage.send(1)
      pool.waitUntilIdle()
      late.value = nil
      return recorder
    }
    #expect(recorder.all.filter { $0 < 10 } == [1, 2, 3])
    #expect(recorder.count == 5)
  }

  @Test func `delivers waiting elements even after the stage lost its last reference`() {
    let (hand, recorder) = (HandScheduler(), Recorder<Int>())
    for number in 0..<3 { OrderedStage<Int>(on: hand) { recorder.add($0) }.send(number) }
    hand.run()
    #expect(recorder.all == [0, 1, 2])
  }
}
