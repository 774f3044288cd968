internal import CLinux

/// The threads that the system lets this process have.
///
/// Asked for beforehand, because not all who start threads can be told that there are none: a dispatch queue, and Swift's
/// tasks upon it, let whoever posts wait until there is one; NIO ends the process.
public enum ThreadSupply {
  /// Throws unless `count` more threads can exist at once. They are really made: limits of users, containers and
  /// memory all have a say.
  public static func require(_ count: Int) throws(ThreadShortage) {
    guard count > 0 else { return }
    let possible = Int(clinux_possible_threads(Int32(clamping: count)))
    if possible < count { throw ThreadShortage(needed: count, possible: possible) }
  }
}

/// Fewer threads can be had than something needs.
public struct ThreadShortage: Error, Hashable, Sendable, CustomStringConvertible {
  public let needed: Int
  public let possible: Int

  public var description: String {
    "\(needed) more threads are needed at once, and \(possible) can be had; raise the limit of tasks "
      + "(ulimit -u, pids.max of the container)"
  }
}
