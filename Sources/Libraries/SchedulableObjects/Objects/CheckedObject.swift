/// An object that the compiler does not check, such as one of a module in Swift 5 mode, with a check at each use.
///
/// ```swift
/// let printer = CheckedObject(LegacyPrinter(), on: scheduler)
/// printer().print("hello")      // on another thread: stops the process, or reports this line
/// ```
///
/// One line in place of a check in each method: the object is reached through the check only. `SchedulerOptions.wrongThread`
/// of the scheduler decides what happens on a wrong thread.
public struct CheckedObject<Object> {
  private let object: Object
  private let scheduler: any Scheduler

  /// - Parameters:
  ///   - object: the object, which no other code may reference.
  ///   - scheduler: the scheduler that it belongs to.
  public init(_ object: Object, on scheduler: any Scheduler) {
    self.object = object
    self.scheduler = scheduler
  }

  /// The object, for one use.
  public func callAsFunction(file: StaticString = #fileID, line: UInt = #line) -> Object {
    scheduler.preconditionIsolated("\(Object.self)", file: file, line: line)
    return object
  }
}
