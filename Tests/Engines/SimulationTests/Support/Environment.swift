import Foundation

/// Settings of the tests, from environment variables.
enum Environment {
  static subscript(name: String) -> String? { ProcessInfo.processInfo.environment[name] }
}
