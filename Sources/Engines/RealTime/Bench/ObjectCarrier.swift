internal import FrameBudget
internal import SchedulableObjects

/// Our scheduler as applications use it: `bench` sends events to an object on it.
struct ObjectCarrier: Carrier {
  private let carrier: SchedulerCarrier
  private let receiver: SchedulableObject<Receiver>

  init(_ lane: Lane) throws(CarrierError) { self.init(on: try SchedulerCarrier(lane)) }

  init(on carrier: SchedulerCarrier) {
    self.carrier = carrier
    receiver = SchedulableObject(Receiver(), on: carrier.scheduler)
  }

  func send(_ number: Int, to tally: EventTally) {
    receiver.schedule { $0.count(number, tally) }
  }

  func post(_ event: sending @escaping () -> Void, hasPriority: Bool) {
    carrier.post(event, hasPriority: hasPriority)
  }

  var wakeUps: Int? { carrier.wakeUps }

  func stop() { carrier.stop() }

  private final class Receiver {
    func count(_ number: Int, _ tally: EventTally) { tally.ran(number) }
  }
}
