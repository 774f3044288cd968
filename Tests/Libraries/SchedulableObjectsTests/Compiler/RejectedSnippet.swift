import Testing

/// A piece of code that breaks a rule of the pattern, and the resulting error.
struct RejectedSnippet: Sendable, CustomTestStringConvertible {
  let rule: String
  var flags: [String] = []
  let code: String
  let diagnostic: String

  var testDescription: String { rule }
}

extension RejectedSnippet {
  static let all: [RejectedSnippet] = [
    RejectedSnippet(
      rule: "use after it was sent",
      code: """
        func use(_ scheduler: ThreadScheduler) {
          let options = Options()
          let handle = SchedulableObject(options, on: scheduler)
          options.isRich = true
          handle.schedule { $0.isRich = false }
        }
        """,
      diagnostic: "sending 'options' risks causing data races"),
    RejectedSnippet(
      rule: "returning the object from a call",
      code: """
        func use(_ handle: SchedulableObject<Options>) async throws {
          let leaked = try await handle.call { $0 }
          leaked.isRich = true
        }
        """,
      diagnostic: "does not conform to the 'Sendable' protocol"),
    RejectedSnippet(
      rule: "returning the object from a call without its type",
      code: """
        func use(_ handle: SchedulableObject<Options>) async throws {
          let leaked = try await handle.call { $0 as Any }
          _ = leaked
        }
        """,
      diagnostic: "does not conform to the 'Sendable' protocol"),
    RejectedSnippet(
      rule: "blocking a task until a thread has ended",
      code: """
        func use(_ scheduler: ThreadScheduler) async { scheduler.shutdownBlocking() }
        """,
      diagnostic: "it blocks the thread; await shutdown()"),
    RejectedSnippet(
      rule: "storing the object outside",
      code: """
        func use(_ handle: SchedulableObject<Options>) {
          let box = Box()
          handle.schedule { box.options = $0 }
          box.options?.isRich = true
        }
        """,
      diagnostic: "sending value of non-Sendable type '(Options) -> ()'"),
    RejectedSnippet(
      rule: "capturing the object in a task",
      code: """
        func use(_ handle: SchedulableObject<Options>) {
          handle.schedule { options in Task { options.isRich = true } }
        }
        """,
      diagnostic: "passing closure as a 'sending' parameter risks causing data races"),
    RejectedSnippet(
      rule: "sending two objects that know each other one by one",
      code: """
        func use(_ scheduler: ThreadScheduler) {
          let options = Options()
          let printer = Printer(options)
          let one = SchedulableObject(options, on: scheduler)
          let two = SchedulableObject(printer, on: scheduler)
          _ = (one, two)
        }
        """,
      diagnostic: "sending 'options' risks causing data races"),
    RejectedSnippet(
      rule: "handing the object to another scheduler",
      code: """
        func use(_ one: SchedulableObject<Options>, _ two: SchedulableObject<Box>) {
          one.schedule { options in two.schedule { $0.options = options } }
        }
        """,
      diagnostic: "passing closure as a 'sending' parameter risks causing data races"),
    RejectedSnippet(
      rule: "returning an object from assemble instead of its handle",
      code: """
        func use(_ scheduler: ThreadScheduler) async throws {
          let options = try await scheduler.assemble { here in
            let options = Options()
            _ = here.bind(options)
            return options
          }
          options.isRich = true
        }
        """,
      diagnostic: "type 'Options' does not conform to the 'Sendable' protocol"),
    RejectedSnippet(
      rule: "keeping the object in a global variable",
      code: """
        var global: Options? = nil
        func use(_ handle: SchedulableObject<Options>) {
          handle.schedule { global = $0 }
        }
        """,
      diagnostic: "var 'global' is not concurrency-safe"),
    RejectedSnippet(
      rule: "changing a local variable from an event",
      code: """
        func use(_ scheduler: ThreadScheduler) {
          var count = 0
          scheduler.schedule { count += 1 }
          print(count)
        }
        """,
      diagnostic: "sending value of non-Sendable type '() -> ()'"),
    RejectedSnippet(
      rule: "sending an object that the caller still has",
      code: """
        func use(_ options: Options, _ scheduler: ThreadScheduler) {
          _ = SchedulableObject(options, on: scheduler)
        }
        """,
      diagnostic: "sending 'options' risks causing data races"),
    RejectedSnippet(
      rule: "keeping a directly called object beyond its event",
      code: """
        func use(_ handle: SchedulableObject<Options>, _ scheduler: ThreadScheduler) async throws {
          try await scheduler.assemble { here in
            let options = handle.withDirect(here) { $0 }
            Task { options.isRich = true }
          }
        }
        """,
      diagnostic: "passing closure as a 'sending' parameter risks causing data races"),
    RejectedSnippet(
      rule: "a direct call without proof of the scheduler",
      code: """
        func use(_ handle: SchedulableObject<Options>) {
          handle.withDirect { $0.isRich = true }
        }
        """,
      diagnostic: "missing argument for parameter #1 in call"),
    RejectedSnippet(
      rule: "taking the proof of the scheduler elsewhere",
      code: """
        func use(_ handle: SchedulableObject<Options>, _ scheduler: ThreadScheduler) async throws {
          try await scheduler.assemble { here in
            Task { handle.withDirect(here) { $0.isRich = true } }
          }
        }
        """,
      diagnostic: "passing closure as a 'sending' parameter risks causing data races"),
    RejectedSnippet(
      rule: "touching the object without an event",
      code: """
        func use(_ handle: SchedulableObject<Options>) {
          handle.isRich = true
        }
        """,
      diagnostic: "has no member 'isRich'"),
    RejectedSnippet(
      rule: "storing the object outside where isolation is assumed",
      code: """
        func use(_ handle: SchedulableObject<Options>) {
          let box = Box()
          handle.assumeIsolated { box.options = $0 }
          box.options?.isRich = true
        }
        """,
      diagnostic: "sending value of non-Sendable type"),
    RejectedSnippet(
      rule: "an event that shares a mutable object with its sender",
      code: """
        func use(_ scheduler: ThreadScheduler) {
          let box = Box()
          scheduler.schedule { box.number += 1 }
          box.number += 1
        }
        """,
      diagnostic: "sending value of non-Sendable type '() -> ()'"),
    RejectedSnippet(
      rule: "an object that schedules itself without a context",
      code: """
        final class Timer {
          let scheduler: ThreadScheduler
          var count = 0
          init(on scheduler: ThreadScheduler) { self.scheduler = scheduler }
          func start() { scheduler.schedule { self.count += 1 } }
        }
        """,
      diagnostic: "passing closure as a 'sending' parameter risks causing data races"),
    RejectedSnippet(
      rule: "sharing an object between an event of the context and a task",
      code: """
        func use(_ scheduler: ThreadScheduler) async throws {
          try await scheduler.assemble { here in
            let options = Options()
            here.schedule { options.isRich = true }
            Task { options.isRich = false }
          }
        }
        """,
      diagnostic: "passing closure as a 'sending' parameter risks causing data races"),
    RejectedSnippet(
      rule: "an object of the main actor, by the default of its module",
      flags: ["-default-isolation", "MainActor"],
      code: """
        func use(_ handle: SchedulableObject<Options>) {
          handle.schedule { $0.isRich = true }
        }
        """,
      diagnostic: "main actor-isolated property 'isRich' can not be mutated"),
    RejectedSnippet(
      rule: "returning the proof of the scheduler",
      code: """
        func use(_ scheduler: ThreadScheduler) async throws {
          let here: SchedulerContext = try await scheduler.assemble { here in here }
          _ = here
        }
        """,
      diagnostic: "conformance of 'SchedulerContext' to 'Sendable' is unavailable"),
    RejectedSnippet(
      rule: "touching the state of a schedulable actor",
      code: """
        actor Counter: Schedulable {
          nonisolated let scheduler: any Scheduler
          var count = 0
          init(on scheduler: any Scheduler) { self.scheduler = scheduler }
        }
        func use(_ counter: Counter) { counter.count += 1 }
        """,
      diagnostic: "actor-isolated property 'count' can not be mutated"),
    RejectedSnippet(
      rule: "forgetting that a call may be refused",
      code: """
        func use(_ handle: SchedulableObject<Options>) async {
          let rich = await handle.call { $0.isRich }
          _ = rich
        }
        """,
      diagnostic: "call can throw, but it is not marked with 'try'"),
    RejectedSnippet(
      rule: "use after it was bound",
      code: """
        func use(_ scheduler: ThreadScheduler) async throws {
          let options = Options()
          _ = try await scheduler.assemble { here in here.bind(options) }
          options.isRich = true
        }
        """,
      diagnostic: "risks causing data races"),
    RejectedSnippet(
      rule: "letting an object out through another one",
      code: """
        func use(_ handle: SchedulableObject<Options>, _ scheduler: ThreadScheduler) async throws {
          try await scheduler.assemble { here in
            let box = Box()
            handle.withDirect(here) { box.options = $0 }
            Task { box.options?.isRich = true }
          }
        }
        """,
      diagnostic: "passing closure as a 'sending' parameter risks causing data races"),
    RejectedSnippet(
      rule: "use after it was bound where isolation is assumed",
      code: """
        func use(_ main: MainScheduler) {
          let options = Options()
          _ = main.assumeIsolated { here in here.bind(options) }
          Task { options.isRich = true }
        }
        """,
      diagnostic: "risks causing data races"),
  ]
}
