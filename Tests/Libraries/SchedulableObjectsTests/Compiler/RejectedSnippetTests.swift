import TestSupport
import Testing

@Suite(.serialized) struct RejectedSnippetTests {
  /// Slow: starts the compiler for each snippet.
  @Test(arguments: RejectedSnippet.all)
  func `the compiler rejects`(snippet: RejectedSnippet) throws {
    let outcome = try SnippetCompiler.compile(snippet.code, snippet.flags)
    #expect(outcome.status == 1)
    #expect(outcome.output.contains(snippet.diagnostic), "\(outcome.output)")
  }

  @Test func `the compiler accepts the code that the page on its errors shows`() throws {
    let blocks = try Page("CompileErrors").blocks.filter { $0.language == "swift" }
    #expect(blocks.count == 1)
    for block in blocks {
      let outcome = try SnippetCompiler.compile(block.text)
      #expect(outcome.status == 0, "\(outcome.output)")
    }
  }

  @Test func `the compiler accepts an object that schedules itself`() throws {
    let outcome = try SnippetCompiler.compile(
      """
      final class Timer {
        private let here: SchedulerContext
        private var ticking: RepeatedEvent?
        private var count = 0

        init(_ here: SchedulerContext) {
          self.here = here
          ticking = here.schedule(every: .seconds(1)) { [unowned self] in tick() }
        }

        deinit { ticking?.cancel() }

        private func tick() {
          count += 1
          here.schedule(replacing: "shown") { self.count += 1 }
        }
      }

      func timer(on scheduler: ThreadScheduler) async throws -> SchedulableObject<Timer> {
        try await scheduler.assemble { here in here.bind(Timer(here)) }
      }
      """)
    #expect(outcome.status == 0, "\(outcome.output)")
  }

  @Test func `the compiler accepts what the rules allow`() throws {
    let outcome = try SnippetCompiler.compile(
      """
      struct OutOfPaper: Error {}

      func use(_ scheduler: ThreadScheduler) async throws {
        let (options, printer) = try await scheduler.assemble { here in
          let options = Options()
          return (here.bind(options), here.bind(Printer(options)))
        }
        options.schedule(priority: .user) { $0.isRich = true }
        options.schedule(after: .seconds(1)) { $0.isRich = false }.cancel()
        let width = try await printer.call { $0.width }
        if width > 80 { try await printer.call { $0.width = 80 } }
        try await scheduler.assemble { here in
          let options = options.withDirect(here) { $0 }
          printer.withDirect(here) { $0.options = options }
        }
        printer.schedule { printer in
          options.assumeIsolated { $0.isRich = true }
          printer.width += 1
        }
      }

      @MainActor func fromTheMainActor(_ printer: SchedulableObject<Printer>) async throws {
        let box = Box()
        printer.schedule { $0.options = box.options ?? Options() }
        print(try await printer.call { $0.width })
      }

      func typed(_ printer: SchedulableObject<Printer>) async {
        do {
          try await printer.call { _ in throw OutOfPaper() }
        } catch let outOfPaper as OutOfPaper {
          print(outOfPaper)
        } catch let refusal as Refusal {
          print(refusal.reason)
        } catch {
          print("cancelled")
        }
      }

      @MainActor final class View { func show(_ width: Int) {} }

      func show(_ view: View, _ printer: SchedulableObject<Printer>) {
        let main = MainActorScheduler.shared
        main.schedule(after: .seconds(1)) { view.show(0) }
        main.schedule(replacing: "width") { view.show(1) }
        printer.schedule { printer in
          let width = printer.width
          main.schedule { view.show(width) }
        }
      }

      actor Counter: Schedulable {
        nonisolated let scheduler: any Scheduler
        private var count = 0
        init(on scheduler: any Scheduler) { self.scheduler = scheduler }
        func add() { count += 1 }
      }

      func use(_ counter: Counter) async {
        counter.schedule { $0.add() }
        await counter.add()
      }
      """)
    #expect(outcome.status == 0, "\(outcome.output)")
    #expect(!outcome.output.contains("error:"))
  }
}
