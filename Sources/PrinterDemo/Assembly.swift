import SchedulableObjects

/// Puts the demo's objects together, and says where they live.
struct Assembly {
  let scheduler: ThreadScheduler
  let options: SchedulableObject<PrintOptions>
  let printer: SchedulableObject<Printer>

  /// Builds printer and options where they will live; they know each other and share a scheduler.
  init(output: @escaping @Sendable (String) -> Void) async throws {
    let scheduler = try ThreadScheduler(name: "printer", nice: 10)
    self.scheduler = scheduler
    (options, printer) = try await scheduler.assemble { here in
      let options = PrintOptions()
      return (here.bind(options), here.bind(Printer(options: options, output: output)))
    }
  }

  /// Waits until every line that was sent is printed, and says how many there were.
  func finish() async throws -> Int {
    let count = try await printer.call { $0.count }
    await scheduler.shutdown()
    return count
  }
}
