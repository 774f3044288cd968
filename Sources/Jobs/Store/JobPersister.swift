/// Keeps jobs where they survive the end of the process.
///
/// A queue calls its persister under its lock: from one thread at a time, and never from two stores at once.
public protocol JobPersister: AnyObject {
  /// Opens the store and returns what it holds; called once, before anything else. A damaged store is moved aside.
  func load() throws -> KeptJobs
  /// Adds or rewrites jobs, and removes others by their sequence numbers: all of it, or, if it throws, nothing.
  ///
  /// Once it has returned, the change survives `kill -9`.
  func change(keeping: [KeptJob], removing: [Int64]) throws
}
