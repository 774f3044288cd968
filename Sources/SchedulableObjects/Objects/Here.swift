/// Proof that the code runs on a scheduler right now.
///
/// It is not `Sendable` and nobody else can make one, so the compiler keeps it among the objects of its scheduler.
public struct Here {
  /// The scheduler that the code runs on.
  public let scheduler: any Scheduler

  /// Makes an object that was built here belong to this scheduler.
  ///
  /// Objects that know each other are built together and bound one by one; each gets a handle of its own.
  public func bind<Object>(_ object: Object) -> SchedulableObject<Object> {
    SchedulableObject(bound: object, to: scheduler)
  }
}

@available(*, unavailable)
extension Here: Sendable {}
