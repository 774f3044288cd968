import Testing

@testable import SchedulableObjects

@Suite struct SchedulableObjectTests {
  private struct OutOfPaper: Error, Equatable {}

  @Test func `objects that know each other are built and bound together`() async throws {
    let scheduler = try ThreadScheduler(name: "cluster")
    let (options, printer) = try await scheduler.assemble { here in
      let options = Options()
      return (here.bind(options), here.bind(Printer(options)))
    }
    options.schedule { $0.isRich = true }
    #expect(try await printer.call { $0.render("hello") } == "*hello*")
    await scheduler.shutdown()
  }

  @Test func `what a call throws comes back with its type`() async throws {
    let object = SchedulableObject(Options(), on: try ThreadScheduler(name: "throws"))
    await #expect(throws: CallError<OutOfPaper>.failed(OutOfPaper())) {
      try await object.call { _ throws(OutOfPaper) in throw OutOfPaper() }
    }
  }

  @Test func `a call returns a mutable object that nobody else has`() async throws {
    let object = SchedulableObject(Options(), on: try ThreadScheduler(name: "gives"))
    let fresh = try await object.call { _ in Options() }
    fresh.isRich = true
    #expect(fresh.isRich)
  }

  @Test func `a direct call happens at once, also back into the caller`() throws {
    let scheduler = ManualScheduler()
    let seen = Recorder<String>()
    let first = SchedulableObject(Options(), on: scheduler)
    let second = SchedulableObject(Options(), on: scheduler)
    first.schedule { options in
      scheduler.assumeIsolated { here in
        second.withDirect(here) { other in
          first.withDirect(here) { $0.isRich = true }
          other.isRich = true
          seen.add("direct")
        }
      }
      seen.add("after")
      #expect(options.isRich)
    }
    scheduler.run()
    #expect(seen.all == ["direct", "after"])
  }

  @Test func `objects take delayed, withdrawn and keyed events`() {
    let scheduler = ManualScheduler()
    let seen = Recorder<Int>()
    let object = SchedulableObject(Options(), on: scheduler)
    object.schedule(after: .seconds(1)) { _ in seen.add(1) }
    object.schedule(after: .seconds(1)) { _ in seen.add(2) }.cancel()
    object.schedule(replacing: "key") { _ in seen.add(3) }
    object.schedule(replacing: "key", priority: .user) { _ in seen.add(4) }
    scheduler.advance(by: .seconds(1))
    #expect(seen.all == [4, 1])
  }
}

private final class Options {
  var isRich = false
}

private final class Printer {
  private let options: Options

  init(_ options: Options) { self.options = options }

  func render(_ line: String) -> String { options.isRich ? "*\(line)*" : line }
}
