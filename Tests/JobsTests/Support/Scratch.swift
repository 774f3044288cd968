import Foundation

/// A folder that is gone after the test.
final class Scratch: Sendable {
  let folder: String

  init() throws {
    folder = NSTemporaryDirectory() + "jobs-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  func path(_ name: String) -> String { "\(folder)/\(name)" }

  func text(_ name: String) -> String {
    (try? String(contentsOfFile: path(name), encoding: .utf8)) ?? ""
  }

  var names: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
  }
}

/// Runs what blocks on a thread of its own: the tests' own threads are few.
func onOwnThread<Value: Sendable>(
  _ body: @escaping @Sendable () throws -> Value
) async throws -> Value {
  try await withCheckedThrowingContinuation { done in
    Thread { done.resume(with: Result { try body() }) }.start()
  }
}
