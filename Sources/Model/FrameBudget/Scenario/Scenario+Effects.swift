extension Scenario {
  /// Sentences about keys of the file, or options of its strategies, that can have no effect in it.
  public var keysWithoutEffect: [String] {
    deferralWithoutInputs + keysForFramesOnDemand + stepKeysWithoutEffect
      + strategies.flatMap { strategy in
        strategy.arrangement.keysWithoutEffect(in: self).map { "\(strategy.label): \($0)" }
      }
  }

  private var deferralWithoutInputs: [String] {
    guard display.mainLoop.events?.deferral != nil, !workloads.contains(where: \.isInput) else {
      return []
    }
    return ["defer-after-input has no effect: no workload has input: true"]
  }

  /// `draws` and `shows` request frames, and with `frames: always` every vsync wants one.
  private var keysForFramesOnDemand: [String] {
    guard !display.frames.isOnDemand else { return [] }
    return workloads.flatMap { workload -> [String] in
      let keys = (workload.draws ? ["draws"] : []) + (workload.shows ? [] : ["shows"])
      return keys.map {
        "\($0) of workload \(workload.fileName) has no effect: every vsync wants a frame (frames: always)"
      }
    }.distinct()
  }
}

extension Arrangement {
  /// Sentences about keys that can have no effect in `scenario`.
  func keysWithoutEffect(in scenario: Scenario) -> [String] {
    [yields(in: scenario)].compactMap(\.self) + widths(in: scenario)
  }

  private func yields(in scenario: Scenario) -> String? {
    guard yielding != nil else { return nil }
    let hasParts = scenario.workloads.indices.contains { workload in
      // An item that was held back runs as the admission says.
      guard admission == .all || scenario.workloads[workload].priority == .user else {
        return false
      }
      let lanes = lanes(of: workload, in: scenario)
      return zip(lanes, lanes.dropFirst()).contains { $0 == .main && $1 == .main }
        || zip(scenario.workloads[workload].steps, lanes).contains {
          $1 == .main && ($0.repeats > 1 || $0.slice != nil)
        }
    }
    return hasParts
      ? nil
      : "yield has no effect: no item has two steps in a row on the main thread, where a step runs to its end, and "
        + "an item that was held back runs as its admission says"
  }

  /// Lanes with several threads whose items run in one service, or under one lock, at a time.
  private func widths(in scenario: Scenario) -> [String] {
    lanes.indices.dropFirst().filter { lane in
      let steps = scenario.workloads.indices.flatMap { workload in
        zip(scenario.workloads[workload].steps, lanes(of: workload, in: scenario))
          .filter { $0.1 == lane }.map(\.0.service)
      }
      let prepares = frameParts.contains { $0.lane == lane }
      return lanes[lane].width > 1 && !prepares
        && steps.allSatisfy { scenario.services[$0].isExclusive }
        && Set(steps.map { placement[$0].lock.map(Unit.lock) ?? .service($0) }).count == 1
    }.map { lane in
      "width of lane \(lanes[lane].name) has no effect: its items run in one service, or under one lock, at a time"
    }
  }

  /// What runs one item at a time.
  private enum Unit: Hashable {
    case lock(LockIndex)
    case service(ServiceIndex)
  }
}

extension RunPlan {
  /// The services with `keep: true` that the arrangement has elsewhere than the scenario's first strategy.
  var movedKeptServices: [String] {
    guard let today = scenario.strategies.first?.arrangement else { return [] }
    return scenario.services.indices.filter { service in
      scenario.services[service].isKept
        && arrangement.nameOfPlace(of: service) != today.nameOfPlace(of: service)
    }.map { scenario.services[$0].fileName }.distinct()
  }
}

extension Arrangement {
  /// `main`, `lane background`, `lock catalogue`
  package func nameOfPlace(of service: ServiceIndex) -> String {
    switch placement[service] {
    case .home(.main): lanes[.main].name
    case .home(let lane): "lane \(lanes[lane].name)"
    case .guarded(let lock): "lock \(locks[lock].name)"
    }
  }
}
