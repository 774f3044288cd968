import SchedulableObjects

/// Sends each line of standard input to a printer on a thread of its own.
///
/// `u` switches capitals, `n` the numbers, `q` or the end of the input ends.
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
