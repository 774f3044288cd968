/// A task without its drawing, as the steps of an item.
struct RecordedItem: Sendable {
  /// The services that an item calls, in order; nil for time outside of services.
  struct Signature: Hashable, Sendable {
    var workload: String?
    var isTimer = false
    var isInput = false
    var steps: [Int?]

    /// For a stable order among signatures with equal time.
    var text: String { "\(workload ?? "") \(steps.map { $0 ?? -1 }) \(isTimer) \(isInput)" }
  }

  let begin: Int64
  var end: Int64
  let posted: Int64?
  /// The number of the thread that it begins on.
  let thread: Int
  /// The post of another thread that it begins with.
  let handOff: RecordedTask.HandOff?
  var arrival: Int64 = 0
  var signature: Signature
  var costs: [LearnedItems.Cost]

  /// Platform work between two calls is no step of its own if it takes less than this many nanoseconds.
  static let shortest: Int64 = 100_000

  var length: Int64 { costs.reduce(0) { $0 + $1.length } }

  /// Adds the next piece of work. Each slice of a service is a call and a step of its own.
  mutating func add(_ part: RecordedTask.Piece, _ role: ServiceChoice.Role, isNewCall: Bool) {
    end = part.end
    if case .workload(let name) = role { signature.workload = name }
    var index = 0
    if case .service(let service) = role {
      if isNewCall {
        signature.steps.append(service)
        costs.append(LearnedItems.Cost())
      }
      index = costs.count - 1
    }
    costs[index].add(LearnedItems.Cost(cpu: part.cpu, wait: part.wait))
  }

  /// Appends the steps of `other`, which follow.
  mutating func append(_ other: RecordedItem) {
    costs += other.costs
    signature.workload = signature.workload ?? other.signature.workload
    signature.steps += other.signature.steps
    end = other.end
  }

  /// Appends the steps of `other`, which ran later on this thread. Time in which the thread was idle in between becomes waiting.
  mutating func append(later other: RecordedItem) {
    var other = other
    other.costs[0].wait += max(0, other.begin - end)
    append(other)
  }

  /// Merges steps. `target` returns, given the index of the next step and the steps kept so far, the index of the kept step
  /// to merge into; nil keeps the next step.
  private func joined(_ target: (_ next: Int, _ known: [Int?]) -> Int?) -> RecordedItem {
    var item = self
    item.signature.steps = []
    item.costs = []
    for next in costs.indices {
      if let index = target(next, item.signature.steps) {
        item.costs[index].add(costs[next])
      } else {
        item.signature.steps.append(signature.steps[next])
        item.costs.append(costs[next])
      }
    }
    return item
  }

  /// Merges short steps of the platform's services `kept` into the platform work before them. Whether there is such a
  /// moment between two calls does not characterise the task.
  func withoutShortSteps(of kept: Set<Int>) -> RecordedItem {
    func isKept(_ step: Int?) -> Bool { step.map(kept.contains) ?? true }
    return joined { next, known in
      costs[next].length < Self.shortest && isKept(signature.steps[next])
        ? known.lastIndex(where: isKept) : nil
    }
  }

  /// Merges every other step of a service into the previous one of that service, until at most `maximum` steps are left.
  func halved(untilAtMost maximum: Int) -> RecordedItem {
    var item = self
    while item.costs.count > maximum {
      var newest: [Int?: (index: Int, isPaired: Bool)] = [:]
      let halved = item.joined { next, known in
        let service = item.signature.steps[next]
        if let last = newest[service], !last.isPaired {
          newest[service] = (last.index, true)
          return last.index
        }
        newest[service] = (known.count, false)
        return nil
      }
      guard halved.costs.count < item.costs.count else { return item.folded }
      item = halved
    }
    return item
  }

  /// Fits the item to the steps of `signature`, which `Signature.nearest(of:)` found. Steps that it lacks cost nothing;
  /// surplus calls are added to the previous step of the same service. Nil if `signature` lacks one of its services.
  func shaped(as signature: Signature) -> RecordedItem? {
    guard signature != self.signature else { return self }
    guard let fit = self.signature.fit(into: signature) else { return nil }
    var item = self
    item.signature = signature
    item.costs = signature.steps.map { _ in LearnedItems.Cost() }
    for (index, cost) in zip(fit.places, costs) { item.costs[index].add(cost) }
    return item
  }

  /// One step of each of `services` and one of none before them, whatever it calls: what fits nothing else.
  func spread(over services: Range<Int>) -> RecordedItem {
    var item = self
    item.signature.steps = [nil] + services.map(Optional.init)
    item.costs = item.signature.steps.map { step in
      zip(signature.steps, costs).reduce(into: LearnedItems.Cost()) { sum, part in
        if part.0 == step { sum.add(part.1) }
      }
    }
    return item
  }

  /// Merges all calls of a service into one step, in the order of first calls.
  var folded: RecordedItem {
    joined { next, known in known.firstIndex(of: signature.steps[next]) }
  }
}

extension RecordedItem.Signature {
  /// The indices of its steps among those of `other`, in order as far as possible, and the number of unmatched steps of
  /// both. Nil if `other` lacks one of its services, or has another workload or kind of arrival.
  func fit(into other: Self) -> (places: [Int], misfits: Int)? {
    guard workload == other.workload, isTimer == other.isTimer, isInput == other.isInput else {
      return nil
    }
    var places: [Int] = []
    var newest: [Int?: Int] = [:]
    var last = -1
    for step in steps {
      let next = last + 1
      let ahead =
        next < other.steps.count && other.steps[next] == step
        ? next : newest[step] == nil ? other.steps[next...].firstIndex(of: step) : nil
      if let ahead {
        last = ahead
        newest[step] = ahead
      }
      guard let index = ahead ?? newest[step] else { return nil }
      places.append(index)
    }
    let used = Set(places).count
    return (places, other.steps.count - used + steps.count - used)
  }

  /// The signature in `others` that it fits best, the first among equals; nil if more than half of all steps are unmatched.
  func nearest(of others: [Self]) -> Self? {
    let fits = others.compactMap { other in
      fit(into: other).map { (other, $0.misfits) }
    }
    guard let best = fits.min(by: { $0.1 < $1.1 }), 2 * best.1 <= best.0.steps.count + steps.count
    else { return nil }
    return best.0
  }
}
