import SchedulableThreads
import TestSupport
import Testing

@testable import OrderedDelivery

/// Chains of steps over a source.
@Suite struct SourceTests {
  private struct Blurred: Error, Equatable { let number: Int }

  private let pool = ConcurrentScheduler(name: "pool", width: 3)
  private let screen = SerialScheduler(name: "screen")
  private let seen = Recorder<String>()

  private func end(_ error: (any Error)?) { seen.add(error.map { "\($0)" } ?? "end") }

  @Test func `steps run in reading order, and the end comes behind all elements`() async {
    let numbers = Source<Int>(on: pool)
    numbers.chain
      .filter { $0 % 2 == 0 }
      .map { "number \($0)" }
      .deliver(on: screen)
      .forEach {
        seen.add($0)
      } onEnd: {
        end($0)
      }
    for number in 0..<200 { numbers.send(number) }
    numbers.finish()
    numbers.send(1000)
    #expect(await eventually { seen.all.last == "end" })
    #expect(seen.all == stride(from: 0, to: 200, by: 2).map { "number \($0)" } + ["end"])
  }

  @Test func `an error of a step ends its chain, and not the others`() async {
    let numbers = Source<Int>(on: pool)
    let others = Recorder<Int>()
    numbers.chain
      .map { number in
        if number == 3 { throw Blurred(number: 3) }
        return "\(number)"
      }
      .deliver(on: screen)
      .forEach {
        seen.add($0)
      } onEnd: {
        end($0)
      }
    numbers.chain.forEach { others.add($0) }
    for number in 1...5 { numbers.send(number) }
    #expect(await eventually { others.count == 5 && seen.count == 3 })
    numbers.finish()
    await pool.untilIdle()
    await screen.untilIdle()
    #expect(seen.all == ["1", "2", "\(Blurred(number: 3))"])
    #expect(others.all == [1, 2, 3, 4, 5])
  }

  @Test func `an error of the source reaches every chain, also a later one`() async {
    let numbers = Source<Int>(on: pool)
    numbers.chain.latest(on: screen).forEach {
      seen.add("\($0)")
    } onEnd: {
      end($0)
    }
    numbers.finish(throwing: Blurred(number: 1))
    #expect(await eventually { seen.count == 1 })
    numbers.chain.map { $0 + 1 }.forEach {
      seen.add("\($0)")
    } onEnd: {
      end($0)
    }
    #expect(await eventually { seen.count == 2 })
    #expect(seen.all == Array(repeating: "\(Blurred(number: 1))", count: 2))
  }

  @Test func `a busy receiver gets the newest element only`() async {
    let numbers = Source<Int>(on: pool)
    let (running, gate) = (Gate(), Gate())
    numbers.chain.latest(on: screen).forEach {
      seen.add("\($0)")
      if $0 == 0 {
        running.open()
        gate.wait()
      }
    } onEnd: {
      end($0)
    }
    numbers.send(0)
    await onOwnThread { running.wait() }
    for number in 1...50 { numbers.send(number) }
    await pool.untilIdle()
    gate.open()
    await screen.untilIdle()
    #expect(seen.all == ["0", "50"])
    numbers.send(51)
    numbers.finish()
    #expect(await eventually { seen.all.last == "end" })
    #expect(seen.all == ["0", "50", "51", "end"])
  }

  @Test func `only an element that stays the newest passes a debounce`() async {
    let numbers = Source<Int>(on: pool)
    let clock = HandScheduler()
    numbers.chain.debounce(for: .seconds(1), on: clock)
      .forEach {
        seen.add("\($0)")
      } onEnd: {
        end($0)
      }
    for number in 1...3 {
      numbers.send(number)
      await pool.untilIdle()
    }
    #expect(seen.all.isEmpty)
    clock.advance(by: .seconds(1))
    clock.run()
    #expect(seen.all == ["3"])
    numbers.send(4)
    numbers.finish()
    await pool.untilIdle()
    clock.advance(by: .seconds(1))
    clock.run()
    #expect(seen.all == ["3", "4", "end"])
  }

  @Test func `a disposed chain gets nothing more, and releases what it captured`() async {
    let numbers = Source<Int>(on: pool)
    let deaths = Recorder<Bool>()
    let chain = {
      let mortal = Mortal { deaths.add(true) }
      return numbers.chain.deliver(on: screen).forEach { [seen] in
        seen.add("\($0)")
        _ = mortal
      }
    }()
    numbers.send(1)
    #expect(await eventually { seen.count == 1 })
    chain.dispose()
    numbers.send(2)
    await pool.untilIdle()
    await screen.untilIdle()
    numbers.finish()
    #expect(seen.all == ["1"])
    #expect(await eventually { deaths.count == 1 })
  }

  /// Runs something once in the middle of a call, as another thread could.
  private final class InterruptingScheduler: DeliveryScheduler {
    private let hand = HandScheduler()
    private let interruption = Late<@Sendable () -> Void>()

    func interrupt(_ body: @escaping @Sendable () -> Void) { interruption.value = body }

    func perform(_ action: @escaping @Sendable () -> Void) {
      hand.perform(action)
      let body = interruption.value
      interruption.value = nil
      body?()
    }

    func perform(after delay: Duration, _ action: @escaping @Sendable () -> Void) {
      hand.perform(after: delay, action)
    }

    func run() { hand.run() }
  }

  @Test(arguments: 0..<5)
  func `an element sent at the moment of the end does not come behind the end`(kind: Int) {
    let interrupting = InterruptingScheduler()
    let numbers = Source<Int>(on: interrupting)
    let steps = Recorder<Int>()
    // The first chain's turn is requested while `send` has read the stages and not yet reached the second.
    numbers.chain.forEach { _ in }
    var chain = numbers.chain
    switch kind {
    case 0: break
    case 1:
      chain = chain.map { number in
        steps.add(number)
        return number
      }
    case 2: chain = chain.deliver(on: interrupting)
    case 3: chain = chain.latest(on: interrupting)
    default: chain = chain.debounce(for: .seconds(1), on: interrupting)
    }
    chain.forEach {
      seen.add("\($0)")
    } onEnd: {
      end($0)
    }
    interrupting.interrupt { numbers.finish() }
    numbers.send(1)
    interrupting.run()
    #expect(seen.all.last == "end" && seen.count(of: "end") == 1 && steps.all.isEmpty)
  }

  @Test func `a chain that a step has ended is disconnected, also without a reference`() async {
    let numbers = Source<Int>(on: pool)
    let deaths = Recorder<Bool>()
    do {
      let mortal = Mortal { deaths.add(true) }
      numbers.chain.filter { _ in throw Blurred(number: 1) }.deliver(on: screen).forEach { _ in
        _ = mortal
      } onEnd: {
        end($0)
      }
    }
    numbers.send(1)
    #expect(await eventually { seen.count == 1 && deaths.count == 1 })
    withExtendedLifetime(numbers) {}
  }

  @Test func `a disposed debounce releases its element at once`() {
    let clock = HandScheduler()
    let mortals = Source<Mortal>(on: clock)
    let deaths = Recorder<Bool>()
    let chain = mortals.chain.debounce(for: .seconds(3600), on: clock).forEach { _ in }
    mortals.send(Mortal { deaths.add(true) })
    clock.run()
    #expect(deaths.count == 0)
    chain.dispose()
    #expect(deaths.count == 1)
  }

  @Test func `a chain without a reference lives as long as its source`() async {
    let deaths = Recorder<Bool>()
    do {
      let numbers = Source<Int>(on: pool)
      let mortal = Mortal { deaths.add(true) }
      numbers.chain.map { $0 * 2 }.deliver(on: screen).forEach { [seen] in
        seen.add("\($0)")
        _ = mortal
      }
      numbers.send(4)
      #expect(await eventually { seen.all == ["8"] })
      #expect(deaths.count == 0)
    }
    #expect(await eventually { deaths.count == 1 })
  }
}
