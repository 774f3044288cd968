// What costs are called in files, where they are numbers of nanoseconds.

extension HandOffCosts {
  package enum Key: String, CaseIterable, Sendable {
    case post = "post_ns"
    case wake = "wake_ns"
    case latency = "latency_ns"
    case perWaiting = "per_waiting_ns"
    case lookEvery = "look_every_ns"
    case run = "run_ns"

    /// What the costs of a lock consist of.
    package static let ofLocks: [Key] = [.post, .wake, .latency]

    package var path: WritableKeyPath<HandOffCosts, TimeSpan> {
      switch self {
      case .post: \.post
      case .wake: \.wake
      case .latency: \.latency
      case .perWaiting: \.perWaiting
      case .lookEvery: \.lookEvery
      case .run: \.run
      }
    }
  }
}

extension Costs {
  /// Under it stand the carriers, each with the costs of handing over to it.
  package static let carriersKey = "carriers"
  /// Under it stand the costs of passing a lock on.
  package static let lockKey = "lock"
  /// Under it stands what the machine does with threads.
  package static let machineKey = "machine"

  package enum Key: String, CaseIterable, Sendable {
    case contextSwitch = "context_switch_ns"
    case copyPerRecord = "copy_per_record_ns"
    case releasePerRecord = "release_per_record_ns"

    package var path: WritableKeyPath<Costs, TimeSpan> {
      switch self {
      case .contextSwitch: \.contextSwitch
      case .copyPerRecord: \.copyPerRecord
      case .releasePerRecord: \.releasePerRecord
      }
    }
  }
}
