import Dispatch
import OrderedDelivery
import TestSupport
import Testing

@Suite struct `Delayed and recursive scheduling` {
  @Test func `runs an action once its delay has passed, the earlier one first`() {
    let (hand, recorder) = (HandScheduler(), Recorder<Int>())
    let actions = [3, 1, 2].map { seconds in
      hand.schedule(after: .seconds(seconds)) { recorder.add(seconds) }
    }
    hand.run()
    #expect(recorder.all.isEmpty)
    hand.advance(by: .seconds(2))
    hand.run()
    #expect(recorder.all == [1, 2])
    hand.advance(by: .seconds(1))
    hand.run()
    #expect(recorder.all == [1, 2, 3])
    #expect(actions.map(\.isDisposed) == [false, false, false])
  }

  @Test(arguments: [true, false])
  func `never runs an action early on a real clock`(isSerial: Bool) async {
    let waited = await onOwnThread {
      let scheduler = RealScheduler.make(isSerial: isSerial)
      let (clock, done) = (ContinuousClock(), Gate())
      let began = clock.now
      scheduler.perform(after: .milliseconds(20)) { done.open() }
      done.wait()
      return clock.now - began
    }
    #expect(waited >= .milliseconds(20))
  }

  @Test func `does not run a withdrawn action, and releases it at once`() {
    let (hand, recorder) = (HandScheduler(), Recorder<String>())
    let captured = Mortal { recorder.add("released") }
    let action = hand.schedule(after: .seconds(1)) { [captured] in
      withExtendedLifetime(captured) { recorder.add("ran") }
    }
    _ = consume captured
    action.dispose()
    #expect(recorder.all == ["released"])
    #expect(action.isDisposed)
    hand.advance(by: .seconds(2))
    hand.run()
    #expect(recorder.all == ["released"])
  }

  @Test func `cannot withdraw an action that has run`() {
    let hand = HandScheduler()
    let action = hand.schedule {}
    hand.run()
    action.dispose()
    #expect(!action.isDisposed)
  }

  @Test(arguments: [true, false])
  func `runs a recursive action as often as it asks, without deepening the stack`(
    isSerial: Bool
  ) async {
    let count = await onOwnThread {
      let scheduler = RealScheduler.make(isSerial: isSerial)
      let (recorder, done) = (Recorder<Int>(), Gate())
      _ = scheduler.scheduleRecursively(1) { number, again in
        if number < 50_000 { again(number + 1) } else { recorder.add(number) }
        if recorder.count == 1 { done.open() }
      }
      done.wait()
      return recorder.all
    }
    #expect(count == [50_000])
  }

  @Test func `lets other actions run between two recursions`() {
    let (hand, recorder) = (HandScheduler(), Recorder<Int>())
    _ = hand.scheduleRecursively(0) { number, again in
      recorder.add(number)
      if number < 2 { again(number + 1) }
    }
    hand.perform { recorder.add(10) }
    hand.run()
    #expect(recorder.all == [0, 10, 1, 2])
  }

  @Test func `waits between two recursions if a delay is given`() {
    let (hand, recorder) = (HandScheduler(), Recorder<Int>())
    _ = hand.scheduleRecursively(2) { seconds, again in
      recorder.add(seconds)
      if seconds > 0 { again(seconds - 1, after: .seconds(1)) }
    }
    for expected in [[2], [2, 1], [2, 1, 0], [2, 1, 0]] {
      hand.run()
      #expect(recorder.all == expected)
      hand.advance(by: .seconds(1))
    }
  }

  @Test func `ends a recursion that is disposed of, from inside and from outside`() {
    let (hand, recorder) = (HandScheduler(), Recorder<Int>())
    _ = hand.scheduleRecursively(0) { number, again in
      recorder.add(number)
      again(number + 1)
      if number == 2 { again.dispose() }
    }
    let endless = hand.scheduleRecursively(0) { _, again in again(0) }
    for _ in 0..<20 { hand.runNext() }
    endless.dispose()
    hand.run()
    #expect(recorder.all == [0, 1, 2])
    #expect(endless.isDisposed)
  }
}
