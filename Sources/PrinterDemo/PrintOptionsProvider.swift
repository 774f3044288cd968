/// What a printer asks before each line.
protocol PrintOptionsProvider: AnyObject {
  var isUppercase: Bool { get }
  var numbersLines: Bool { get }
}

/// Options that a person switches while lines wait.
final class PrintOptions: PrintOptionsProvider {
  var isUppercase = false
  var numbersLines = true
}
