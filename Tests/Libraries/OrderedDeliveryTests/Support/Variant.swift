import OrderedDelivery
import Testing

/// A way to build a stage. All have the same guarantees.
struct Variant: Sendable, CustomTestStringConvertible {
  let lock: LockKind
  let drain: Drain

  var testDescription: String { "\(lock) \(drain)" }

  static let all = LockKind.allCases.flatMap { lock in
    Drain.allCases.map { Variant(lock: lock, drain: $0) }
  }

  func stage<Element>(
    on scheduler: any DeliveryScheduler, deliver: @escaping @Sendable (Element) -> Void
  ) -> OrderedStage<Element> {
    OrderedStage(on: scheduler, lock: lock, drain: drain, deliver: deliver)
  }
}
