import TestSupport
import Testing

@testable import SchedulableObjects

/// Schedulers of a user interface: the main queue, and a loop of another toolkit.
@Suite struct MainActorSchedulerTests {
  @MainActor private final class View {
    private(set) var shown: [Int] = []
    func show(_ number: Int) { shown.append(number) }
  }

  @Test func `results from a thread reach a view of the main actor in order`() async throws {
    let main = MainActorScheduler(name: "view")
    let files = try ThreadScheduler(name: "files")
    let view = View()
    for number in 0..<100 {
      files.schedule { main.schedule { view.show(number) } }
    }
    await files.shutdown()
    // Together on the main actor, so that the first cannot run before the second replaces it.
    await MainActor.run {
      main.schedule(replacing: "last") { view.show(-1) }
      main.schedule(replacing: "last") { view.show(100) }
    }
    await main.shutdown()
    #expect(await view.shown == Array(0...100))
  }

  @Test func `a delayed event reaches the main actor by itself`() async {
    let main = MainActorScheduler(name: "later")
    let view = View()
    let done = Gate()
    main.schedule(after: .milliseconds(5)) {
      view.show(1)
      done.open()
    }
    main.schedule(after: .seconds(3600)) { view.show(2) }.cancel()
    await onOwnThread { done.wait() }
    await main.shutdown()
    #expect(await view.shown == [1])
  }

  @Test func `calls and actors run on the main queue's scheduler too`() async throws {
    let main = MainActorScheduler(name: "calls")
    let numbers = try await main.assemble { $0.bind(Recorder<Int>()) }
    let isMain = try await numbers.call { numbers in
      numbers.add(1)
      MainActor.preconditionIsolated()
      return main.isCurrent
    }
    #expect(isMain)
    await main.shutdown(.drop)
  }

  @Test func `an event wakes a loop that sleeps, at once or when it is due`() async {
    let ran = Recorder<Int>()
    let (toDo, ready) = (Counter(), Gate())
    let shared = Recorder<MainScheduler>()
    async let loop: Void = onOwnThread {
      let main = MainScheduler(wake: { toDo.add() })
      shared.add(main)
      ready.open()
      while ran.all.count < 5 {
        toDo.take()
        main.drain(until: .now)
      }
      main.shutdown()
    }
    await onOwnThread { ready.wait() }
    let main = shared.all[0]
    main.schedule { ran.add(1) }
    #expect(await eventually { ran.all == [1] })
    main.schedule(after: .milliseconds(5)) { ran.add(2) }
    #expect(await eventually { ran.all == [1, 2] })
    // Each drain runs one of them, and asks for the next drain.
    main.schedule {
      ran.add(3)
      main.schedule { ran.add(4) }
      main.schedule { ran.add(5) }
    }
    await loop
    #expect(ran.all == [1, 2, 3, 4, 5])
  }

  @Test func `a loop is woken once for many events`() async {
    let wakes = Tally()
    await onOwnThread {
      let main = MainScheduler(wake: { wakes.add() })
      for _ in 0..<100 { main.schedule {} }
      #expect(wakes.count == 1)
      #expect(main.drain() == 100)
      main.schedule {}
      #expect(wakes.count == 2)
      main.shutdown()
    }
  }
}

/// A loop's sleep: as many turns as wake-ups.
private final class Counter: Sendable {
  private let wakes = Recorder<Int>()
  private let taken = Recorder<Int>()

  func add() { wakes.add(0) }

  func take() {
    _ = becomesTrue { wakes.all.count > taken.all.count }
    taken.add(0)
  }
}
