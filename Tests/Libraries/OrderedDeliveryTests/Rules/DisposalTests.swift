import OrderedDelivery
import TestSupport
import Testing

@Suite struct `After its disposal` {
  @Test(arguments: Variant.all)
  func `a stage delivers nothing more on the same serial scheduler`(_ variant: Variant) async {
    let recorder = await onOwnThread {
      let (serial, ready) = (SerialScheduler(name: "serial"), Gate())
      let (recorder, late) = (Recorder<Int>(), Late<OrderedStage<Int>>())
      let stage = variant.stage(on: serial) { number in
        ready.wait()
        recorder.add(number)
        if number == 4 { late.value?.dispose() }
      }
      late.value = stage
      for number in 0..<10 { stage.send(number) }
      ready.open()
      serial.waitUntilIdle()
      return recorder
    }
    #expect(recorder.all == [0, 1, 2, 3, 4])
  }

  @Test(arguments: Variant.all)
  func `on the same serial scheduler not even an element sent before it is delivered`(
    _ variant: Variant
  ) async {
    // Another action of the scheduler disposes while senders and the runner are at work.
    let after = await onOwnThread {
      let serial = SerialScheduler(name: "serial")
      let (late, after) = (Recorder<Bool>(), Recorder<Int>())
      let stage = variant.stage(on: serial) { (number: Int) in
        if late.count > 0 { after.add(number) }
      }
      fromThreads(3) { thread in
        if thread == 0 {
          serial.perform {
            stage.dispose()
            late.add(true)
          }
        } else {
          for number in 0..<500 { stage.send(number) }
        }
      }
      serial.waitUntilIdle()
      return after
    }
    #expect(after.all.isEmpty)
  }

  @Test(arguments: Variant.all)
  func `from elsewhere at most the element in hand is delivered`(_ variant: Variant) async {
    let recorder = await onOwnThread {
      let pool = ConcurrentScheduler(name: "pool", width: 2)
      let (recorder, inside, proceed) = (Recorder<Int>(), Gate(), Gate())
      let stage = variant.stage(on: pool) { (number: Int) in
        inside.open()
        proceed.wait()
        recorder.add(number)
      }
      for number in 0..<5 { stage.send(number) }
      inside.wait()
      stage.dispose()
      proceed.open()
      pool.waitUntilIdle()
      return recorder
    }
    #expect(recorder.all == [0])
  }

  @Test func `waiting and newly sent elements are released at once`() {
    let (hand, deaths) = (HandScheduler(), Recorder<Int>())
    let stage = OrderedStage<Mortal>(on: hand) { _ in }
    stage.send(Mortal { deaths.add(1) })
    stage.dispose()
    #expect(deaths.all == [1])
    stage.send(Mortal { deaths.add(2) })
    #expect(deaths.all == [1, 2])
  }

  @Test(arguments: Variant.all)
  func `an element's deinit may use its stage, because no lock is held`(_ variant: Variant) async {
    let isDisposed = await onOwnThread {
      let (late, answer) = (Late<OrderedStage<Mortal>>(), Recorder<Bool>())
      let stage = variant.stage(on: HandScheduler()) { (_: Mortal) in }
      late.value = stage
      stage.send(Mortal { answer.add(late.value?.isDisposed ?? false) })
      stage.dispose()
      late.value = nil
      return answer
    }
    #expect(isDisposed.all == [true])
  }

  @Test func `a second disposal does nothing`() {
    let stage = OrderedStage<Int>(on: HandScheduler()) { _ in }
    #expect(!stage.isDisposed)
    stage.dispose()
    stage.dispose()
    #expect(stage.isDisposed)
  }

  @Test func `a group disposes of its members, even those added after its disposal`() {
    let hand = HandScheduler()
    let stages = (0..<3).map { _ in OrderedStage<Int>(on: hand) { _ in } }
    let group = Disposables(stages[0])
    group.add(stages[1])
    #expect(!group.isDisposed)
    group.dispose()
    group.add(stages[2])
    #expect(stages.map(\.isDisposed) == [true, true, true])
    #expect(group.isDisposed)
  }

  @Test func `a delayed action is released at once, not at its due time`() async {
    await onOwnThread {
      let schedulers: [any DeliveryScheduler] = [
        SerialScheduler(name: "serial"), ConcurrentScheduler(name: "pool", width: 2),
      ]
      let actions = schedulers.flatMap { scheduler in
        (0..<50).map { _ in
          let action = scheduler.schedule(after: .seconds(3600)) { Issue.record("an hour early") }
          action.dispose()
          return WeakAction(action: action)
        }
      }
      // Dispatch releases a timer on a thread of its own.
      #expect(becomesTrue { actions.allSatisfy { $0.action == nil } })
    }
  }

  @Test func `a delayed action that was not disposed of runs even without references`() async {
    await onOwnThread {
      let (serial, ran) = (SerialScheduler(name: "serial"), Gate())
      _ = serial.schedule(after: .milliseconds(5)) { ran.open() }
      ran.wait()
    }
  }
}

private struct WeakAction {
  weak var action: ScheduledAction?
}
