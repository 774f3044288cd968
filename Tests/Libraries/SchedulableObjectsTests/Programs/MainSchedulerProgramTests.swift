import TestSupport
import Testing

/// The use of the main thread by a main scheduler can only be tested in separate programs.
@Suite(.serialized) struct `A program whose main thread a scheduler serves` {
  /// Slow: compiles and runs a program.
  @Test func `is woken for events, delays, tasks, the main queue and timers`() throws {
    try expect(
      """
      import Dispatch
      import Foundation
      import SchedulableObjects

      @main struct App {
        static func main() throws {
          let main = MainScheduler()
          let other = try ThreadScheduler(name: "other")
          let timer = Timer(timeInterval: 0.02, repeats: false) { _ in
            print("timer", Thread.isMainThread, main.isCurrent)
            other.schedule(after: .milliseconds(20)) {
              main.schedule { print("event", Thread.isMainThread, main.isCurrent) }
              main.schedule(after: .milliseconds(20)) {
                print("delayed")
                DispatchQueue.main.async {
                  print("main queue", Thread.isMainThread)
                  Task { @MainActor in
                    try await Task.sleep(for: .milliseconds(20))
                    print("task", Thread.isMainThread)
                    other.schedule { main.beginShutdown() }
                  }
                }
              }
            }
          }
          RunLoop.main.add(timer, forMode: .default)
          main.run()
          print("over", main.counters.refused)
        }
      }
      """,
      prints: """
        timer true true
        event true true
        delayed
        main queue true
        task true
        over 0

        """)
  }

  @Test func `starves neither events nor the main actor`() throws {
    try expect(
      """
      import SchedulableObjects

      @main struct App {
        @MainActor static var isOver = false

        static func main() {
          let main = MainScheduler()
          events(on: main)
          Task { @MainActor in
            // The main actor in turn delays others by as much as they delay it.
            for _ in 0..<100 { await Task.yield() }
            print("the main actor had its turns")
            main.schedule(priority: .background) {
              print("and the events theirs")
              MainActor.assumeIsolated { isOver = true }
              main.beginShutdown()
            }
            while !isOver { await Task.yield() }
          }
          main.run()
          print("over")
        }

        static func events(on main: MainScheduler) {
          main.schedule { if !main.isEnding { events(on: main) } }
        }
      }

      extension MainScheduler {
        var isEnding: Bool { MainActor.assumeIsolated { App.isOver } }
      }
      """,
      prints: """
        the main actor had its turns
        and the events theirs
        over

        """)
  }

  @Test func `sleeps while there is nothing to do`() throws {
    try expect(
      """
      import Foundation
      import SchedulableObjects

      @main struct App {
        static func main() {
          let main = MainScheduler()
          main.schedule(after: .milliseconds(500)) { main.beginShutdown() }
          let before = clock()
          main.run()
          let used = Double(clock() - before) / Double(CLOCKS_PER_SEC)
          print(used < 0.25 ? "slept" : "used \\(used) s of the processor in half a second")
        }
      }
      """, prints: "slept\n")
  }

  @Test func `may have an async main, whose events run within the main actor`() throws {
    try expect(
      """
      import SchedulableObjects

      @main struct App {
        static func main() async throws {
          let other = try ThreadScheduler(name: "other")
          try await Task.sleep(for: .milliseconds(1))
          let main = MainScheduler()
          for number in 1...3 {
            other.schedule(after: .milliseconds(10 * number)) {
              main.schedule {
                MainActor.assumeIsolated { print("event", number, main.isCurrent) }
                if number == 3 {
                  main.schedule(after: .milliseconds(10)) {
                    print("own event")
                    main.beginShutdown()
                    main.schedule { print("too late") }
                  }
                }
              }
            }
          }
          await main.run()
          await other.shutdown()
          print("over", main.counters.refused)
        }
      }
      """,
      prints: """
        event 1 true
        event 2 true
        event 3 true
        own event
        SchedulableObjects: event refused: scheduler 'main' is shut down
        over 1

        """)
  }

  @Test func `is stopped with the remedy where its async main drains after an await`() throws {
    let outcome = try SnippetCompiler.runProgram(
      """
      import SchedulableObjects

      @main struct App {
        static func main() async throws {
          let main = MainScheduler()
          try await Task.sleep(for: .milliseconds(1))
          main.drain()
        }
      }
      """)
    #expect(outcome.status != 0)
    #expect(outcome.output.contains("program/program.swift:7: Fatal error: scheduler 'main' runs"))
    #expect(outcome.output.contains("'await run()'"))
  }

  @Test func `is stopped where another thread, or an event, would serve it`() throws {
    let outcome = try SnippetCompiler.runProgram(
      """
      import SchedulableObjects

      @main struct App {
        static func main() {
          let main = MainScheduler()
          main.schedule { main.run() }
          main.run()
        }
      }
      """)
    #expect(outcome.status != 0)
    #expect(outcome.output.contains("program/program.swift:6: Fatal error: scheduler 'main' is"))
  }

  private func expect(_ code: String, prints expected: String) throws {
    let outcome = try SnippetCompiler.runProgram(code)
    #expect(outcome.status == 0, "\(outcome.output)")
    #expect(outcome.output == expected)
  }
}
