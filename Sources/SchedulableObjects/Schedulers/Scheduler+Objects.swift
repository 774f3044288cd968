internal import Concurrency

extension Scheduler {
  /// Creates objects on this scheduler, and returns their handles.
  ///
  /// ```swift
  /// let (options, printer) = try await scheduler.assemble { here in
  ///   let options = PrintOptions()
  ///   return (here.bind(options), here.bind(Printer(options)))
  /// }
  /// ```
  ///
  /// - Throws: ``CallError`` with the error of `build`, or with the refusal of the event.
  public func assemble<Result: Sendable, Failure: Error>(
    priority: EventPriority = .normal,
    _ build: sending @escaping (Here) throws(Failure) -> Result
  ) async throws(CallError<Failure>) -> Result {
    return try await answer(priority: priority) { () throws(Failure) -> Result in
      try build(Here(scheduler: self))
    }
  }

  /// Passes a ``Here`` to code that runs on this scheduler. `SchedulerOptions.wrongThread` decides whether this is checked.
  public func assumeIsolated<Result: Sendable, Failure: Error>(
    file: StaticString = #fileID, line: UInt = #line,
    _ body: sending (Here) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    preconditionIsolated("code", file: file, line: line)
    return try body(Here(scheduler: self))
  }

  /// Checks that the caller runs on this scheduler: for any code and any object that belongs here.
  ///
  /// `SchedulerOptions.wrongThread` decides what happens otherwise.
  ///
  /// - Parameters:
  ///   - subject: the name of the checked code or object, for the message.
  ///   - file: the file of the call.
  ///   - line: the line of the call.
  public func preconditionIsolated(
    _ subject: @autoclosure () -> String = "code", file: StaticString = #fileID,
    line: UInt = #line
  ) {
    let check = loop.options.wrongThread
    if check == .off || loop.isCurrent { return }
    let error = WrongThread(
      scheduler: loop.name, subject: subject(), file: "\(file)", line: line)
    require(check != .trap, error.mistake, file: file, line: line)
    loop.reportOnce(error)
  }

  /// Sends an event and waits for its answer.
  func answer<Result, Failure: Error>(
    priority: EventPriority,
    _ body: sending @escaping () throws(Failure) -> sending Result
  ) async throws(CallError<Failure>) -> sending Result {
    let call = PendingCall<Result, Failure>(loop: loop)
    return try await call.answer(priority: priority, body).get()
  }
}
