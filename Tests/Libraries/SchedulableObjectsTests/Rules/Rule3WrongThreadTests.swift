import SchedulableThreads
import TestSupport
import Testing

@testable import SchedulableObjects

@Suite("Rule 3: the wrong thread is caught") struct Rule3WrongThreadTests {
  private let reports = Recorder<Report>()

  private func scheduler(_ check: WrongThreadCheck) throws -> ThreadScheduler {
    let reports = reports
    return try ThreadScheduler(
      name: "home",
      options: .init().with {
        $0.wrongThread = check
        $0.report = { reports.add($0) }
      })
  }

  @Test func `rule 3, a schedulable object on the wrong thread traps`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let object = SchedulableObject(Tracked(), on: try ThreadScheduler(name: "home"))
      object.assumeIsolated { $0.value += 1 }
    }
    let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(message.contains("Rule3WrongThreadTests.swift:"))
    #expect(message.contains("Tracked belongs to scheduler 'home'"))
  }

  @Test func `rule 3, a foreign object on the wrong thread traps`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let cache = ForeignCache(home: try ThreadScheduler(name: "home"))
      cache.store(1)
    }
    let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(message.contains("the cache belongs to scheduler 'home'"))
  }

  @Test func `rule 3, the wrong scheduler is caught at a direct call`() async {
    await #expect(processExitsWith: .failure) {
      let object = SchedulableObject(Tracked(), on: try ThreadScheduler(name: "home"))
      let elsewhere = ManualScheduler(name: "elsewhere")
      elsewhere.schedule {
        elsewhere.assumeIsolated { here in object.withDirect(here) { $0.value += 1 } }
      }
      elsewhere.run()
    }
  }

  @Test func `rule 3, each use of a checked object is checked`() throws {
    let home = try scheduler(.report)
    let object = CheckedObject(Tracked(), on: home)
    let line: UInt = #line + 1
    object().value += 1
    let errors = reports.all.compactMap { report -> WrongThread? in
      if case .wrongThread(let error) = report { error } else { nil }
    }
    #expect(errors.map(\.line) == [line])
    #expect(errors.map(\.subject) == ["Tracked"])
    let manual = ManualScheduler(
      options: .init().with { [reports] in $0.report = { reports.add($0) } })
    manual.schedule { CheckedObject(Tracked(), on: manual)().value += 1 }
    manual.run()
    #expect(reports.count == 1)
  }

  @Test func `rule 3, in report mode each call site is reported once`() throws {
    let home = try scheduler(.report)
    let object = SchedulableObject(Tracked(), on: home)
    let cache = ForeignCache(home: home)
    var line: UInt = 0
    for _ in 0..<3 {
      line = #line + 1
      object.assumeIsolated { $0.value += 1 }
      cache.store(1)
    }
    let errors = reports.all.compactMap { report -> WrongThread? in
      if case .wrongThread(let error) = report { error } else { nil }
    }
    #expect(errors.count == 2)
    #expect(errors.first?.line == line)
    #expect(errors.first?.file.hasSuffix("Rule3WrongThreadTests.swift") == true)
    #expect(errors.map(\.subject) == ["Tracked", "the cache"])
    #expect(errors.allSatisfy { $0.scheduler == "home" })
  }

  @Test func `rule 3, nothing is checked when it is off`() throws {
    let home = try scheduler(.off)
    SchedulableObject(Tracked(), on: home).assumeIsolated { $0.value += 1 }
    ForeignCache(home: home).store(1)
    #expect(reports.all == [])
  }

  @Test(arguments: WrongThreadCheck.allCases)
  func `rule 3, the right thread is never reported`(check: WrongThreadCheck) throws {
    let home = try scheduler(check)
    let object = SchedulableObject(Tracked(), on: home)
    let cache = ForeignCache(home: home)
    object.schedule { tracked in
      object.assumeIsolated { $0.value += 1 }
      home.assumeIsolated { here in object.withDirect(here) { $0.value += 1 } }
      home.preconditionIsolated("code")
    }
    home.schedule { cache.store(tracked: 2) }
    home.shutdownBlocking()
    #expect(reports.all == [])
    #expect(cache.value == 2)
  }

  @Test func `rule 3, a later thread is not mistaken for one that ended`() throws {
    let made = Recorder<MainScheduler>()
    try PlatformThread(name: "owner") { made.add(MainScheduler()) }.join()
    let wrong = Recorder<Bool>()
    for _ in 0..<50 {
      try PlatformThread(name: "later") { wrong.add(made.all[0].isCurrent) }.join()
    }
    #expect(wrong.all == Array(repeating: false, count: 50))
  }

  @Test func `rule 3, a main scheduler knows its thread outside of drain too`() throws {
    let outcome = Recorder<Bool>()
    try PlatformThread(name: "main") {
      let main = MainScheduler()
      outcome.add(main.isCurrent)
    }.join()
    #expect(outcome.all == [true])
  }
}

/// An object that knows only its home of the library.
private final class ForeignCache: @unchecked Sendable {
  // Sendable for the sake of the test, which is about mistakes that the compiler cannot see.
  let home: any Scheduler
  private(set) var value = 0

  init(home: any Scheduler) { self.home = home }

  func store(_ value: Int) { home.preconditionIsolated("the cache") }

  func store(tracked value: Int) {
    home.preconditionIsolated("the cache")
    self.value = value
  }
}
