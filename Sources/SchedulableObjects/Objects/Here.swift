/// Proof that the code currently runs on a scheduler.
///
/// It is not `Sendable`, and only the library can create one, so the compiler keeps it on its scheduler.
public struct Here {
  /// The scheduler that the code runs on.
  public let scheduler: any Scheduler

  /// Binds an object that was created here to this scheduler.
  ///
  /// Create objects that reference each other together and bind them one by one; each gets its own handle.
  public func bind<Object>(_ object: Object) -> SchedulableObject<Object> {
    SchedulableObject(bound: object, to: scheduler)
  }
}

@available(*, unavailable)
extension Here: Sendable {}
