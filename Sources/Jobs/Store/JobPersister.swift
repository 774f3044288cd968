/// A store for jobs that survives the end of the process.
///
/// A queue calls its persister under its lock: from one thread at a time, and never from two stores at once.
public protocol JobPersister: AnyObject {
  /// Opens the store and returns its jobs. Called once, before anything else. Must move a damaged store aside.
  func load() throws -> KeptJobs
  /// Adds or rewrites jobs, and removes others by their sequence numbers. If it throws, nothing has changed.
  ///
  /// After it returned, the change survives `kill -9`.
  func change(keeping: [KeptJob], removing: [Int64]) throws
}
