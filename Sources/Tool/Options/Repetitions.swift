internal import ArgumentParser

/// What `--repeat` takes.
enum Repetitions {
  static func parse(_ text: String) throws -> Int {
    guard let count = Int(text), (1...1000).contains(count) else {
      throw ValidationError("--repeat takes a whole number from 1 to 1000")
    }
    return count
  }
}
