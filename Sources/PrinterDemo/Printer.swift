/// Prints lines, as its options say. Mutable and not thread-safe: it belongs to one scheduler.
final class Printer {
  private let options: any PrintOptionsProvider
  private let output: @Sendable (String) -> Void
  private var printed = 0

  init(options: any PrintOptionsProvider, output: @escaping @Sendable (String) -> Void) {
    self.options = options
    self.output = output
  }

  /// Prints one line. The options are asked directly: they live on the same scheduler.
  func print(_ line: String) {
    printed += 1
    let number = options.numbersLines ? "\(printed): " : ""
    output(number + (options.isUppercase ? line.uppercased() : line))
  }

  var count: Int { printed }
}
