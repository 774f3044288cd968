/// What moving work about costs, besides the work itself: a handful of constants for the virtual engine.
///
/// The standard ones stand in the source, so that a simulation gives the same bytes everywhere; measured
/// ones take their place only on request.
public struct Costs: Hashable, Sendable {
  /// By carrier, in the order of `CarrierKind.allCases`.
  private var handOffs: [HandOffCosts]
  /// Passing a lock on to a thread that waits for it; `post` is what taking and releasing a free one takes.
  public var lock: HandOffCosts
  /// What a core loses when it turns to another thread.
  public var contextSwitch: TimeSpan
  /// Copying a record of a state that a snapshot shares: the first change after a publication.
  public var copyPerRecord: TimeSpan
  /// Freeing a record of a snapshot: whoever drops the last reference to it.
  public var releasePerRecord: TimeSpan
  /// What the machine does with threads that it was measured on; nothing is known of it where nobody measured.
  public var calibration = Calibration()

  /// What has been measured on Linux with two cores.
  ///
  /// Copying is what `bench` found: medians of 29 to 33 ns a record for states of 1000 to 60 000 records, so 20 000 are
  /// copied in 0.6 ms. The page Measurements has the machine and the range.
  ///
  /// Who waits for a lock wakes after the releaser is through with waking it, who then can take the lock again.
  public static let standard = Costs(
    handOffs: CarrierKind.allCases.map(\.description.costs),
    lock: HandOffCosts(
      post: .nanoseconds(20), wake: .microseconds(2), latency: .microseconds(5)),
    contextSwitch: .microseconds(2), copyPerRecord: .nanoseconds(30),
    releasePerRecord: .nanoseconds(15))

  /// Everything but the work itself is free.
  public static let none = Costs(
    handOffs: CarrierKind.allCases.map { _ in .none }, lock: .none, contextSwitch: .zero,
    copyPerRecord: .zero, releasePerRecord: .zero)

  /// What a hand-off to a lane on `carrier` costs.
  public subscript(carrier: CarrierKind) -> HandOffCosts {
    get { handOffs[carrier.place] }
    set { handOffs[carrier.place] = newValue }
  }

  /// What a hand-off to `lane` costs: that of its carrier, as the lane's options change it.
  public func handOff(to lane: Lane) -> HandOffCosts {
    let costs = self[lane.carrier]
    return costs == .none ? .none : lane.changed(costs)
  }
}

extension CarrierKind {
  fileprivate var place: Int {
    guard let place = Self.allCases.firstIndex(of: self) else {
      preconditionFailure("a carrier of all")
    }
    return place
  }
}
