import Foundation
import TestSupport

/// A thread of this process that sleeps on a futex, as the kernel shows it.
struct SleepingThread {
  let id: Int32

  /// Whether this kernel shows what threads wait for.
  static var canBeSeen: Bool { text(of: "self") != nil && futexCall != nil }

  /// The operation by which it sleeps; nil if it does not before patience ends.
  func futexOperation() -> Int? {
    var operation: Int?
    _ = becomesTrue {
      let words = Self.text(of: "self/task/\(id)")?.split(separator: " ") ?? []
      guard words.count > 2, words[0] == Self.futexCall.map({ "\($0)" }) ?? "" else { return false }
      operation = Int(words[2].dropFirst(2), radix: 16)
      return true
    }
    return operation
  }

  /// Whether that waits until a time of day: the flag for it, or locking with inheritance in its first form.
  static func isByWallClock(_ operation: Int) -> Bool {
    let clockRealtime = 256
    let lockInheriting = 6
    return operation & clockRealtime != 0 || operation & 127 == lockInheriting
  }

  private static func text(of process: String) -> String? {
    try? String(contentsOfFile: "/proc/\(process)/syscall", encoding: .utf8)
  }

  private static var futexCall: Int? {
    #if arch(x86_64)
      202
    #elseif arch(arm64)
      98
    #else
      nil
    #endif
  }
}
