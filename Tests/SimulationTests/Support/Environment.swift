import Foundation

/// What whoever runs the tests asks for by variables.
enum Environment {
  static subscript(name: String) -> String? { ProcessInfo.processInfo.environment[name] }
}
