import SchedulableObjects

/// Sends each line of standard input to a printer on a thread of its own.
///
/// `u` switches capitals, `n` switches numbers, `q` or the end of the input ends the program.
@main
struct PrinterDemo {
  static func main() async throws {
    let assembly = try await Assembly { print($0) }
    reading: while let line = readLine() {
      switch line {
      case "q": break reading
      case "u": assembly.options.schedule { $0.isUppercase.toggle() }
      case "n": assembly.options.schedule { $0.numbersLines.toggle() }
      default: assembly.printer.schedule { $0.print(line) }
      }
    }
    print("\(try await assembly.finish()) lines printed")
  }
}

/// Creates the demo's objects and chooses their schedulers.
struct Assembly {
  let scheduler: ThreadScheduler
  let options: SchedulableObject<PrintOptions>
  let printer: SchedulableObject<Printer>

  /// Creates printer and options on their scheduler; they refer to each other and share it.
  init(output: @escaping @Sendable (String) -> Void) async throws {
    let scheduler = try ThreadScheduler(name: "printer", nice: 10)
    self.scheduler = scheduler
    (options, printer) = try await scheduler.assemble { here in
      let options = PrintOptions()
      return (here.bind(options), here.bind(Printer(options: options, output: output)))
    }
  }

  /// Waits until every sent line is printed; returns the number of lines.
  func finish() async throws -> Int {
    let count = try await printer.call { $0.count }
    await scheduler.shutdown()
    return count
  }
}

/// Prints lines according to its options. Mutable and not thread-safe: it belongs to one scheduler.
final class Printer {
  private let options: any PrintOptionsProvider
  private let output: @Sendable (String) -> Void
  private var printed = 0

  init(options: any PrintOptionsProvider, output: @escaping @Sendable (String) -> Void) {
    self.options = options
    self.output = output
  }

  /// Prints one line. Calls the options directly, because they live on the same scheduler.
  func print(_ line: String) {
    printed += 1
    let number = options.numbersLines ? "\(printed): " : ""
    output(number + (options.isUppercase ? line.uppercased() : line))
  }

  var count: Int { printed }
}

/// The settings that a printer reads before each line.
protocol PrintOptionsProvider: AnyObject {
  var isUppercase: Bool { get }
  var numbersLines: Bool { get }
}

/// Options that the user can switch while lines wait.
final class PrintOptions: PrintOptionsProvider {
  var isUppercase = false
  var numbersLines = true
}
