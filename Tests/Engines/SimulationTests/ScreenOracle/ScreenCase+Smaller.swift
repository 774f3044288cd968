extension ScreenCase {
  /// The smallest case found that is still `wrong`, by removing one part after the other.
  func smallest(where isWrong: (ScreenCase) -> Bool) -> ScreenCase {
    var smallest = self
    while let smaller = smallest.smaller.first(where: { $0 != smallest && isWrong($0) }) {
      smallest = smaller
    }
    return smallest
  }

  private var smaller: [ScreenCase] { shorter + earlier + simpler + fewer + smallerWorkloads }

  private func with(_ change: (inout ScreenCase) -> Void) -> ScreenCase {
    var changed = self
    change(&changed)
    return changed
  }

  private var shorter: [ScreenCase] {
    [lastVsync / 2, lastVsync - 1, lastVsync].filter { $0 > due }.map { last in
      with {
        $0.duration = instant(last)
        $0.requests.removeAll { $0 >= instant(last) }
        for place in workloads.indices {
          $0.workloads[place].arrivals.removeAll { $0 >= instant(last) }
        }
        $0.workloads.removeAll { $0.arrivals.isEmpty }
      }
    }
  }

  /// By whole vsyncs.
  private var earlier: [ScreenCase] {
    guard let first = (workloads.flatMap(\.arrivals) + requests).min() else { return [] }
    let most = vsync(atOrBefore: first)
    return [most, most / 2, 1].filter { $0 > 0 && $0 <= most }.map { vsyncs in
      with {
        $0.requests = requests.map { $0 - instant(vsyncs) }
        for place in workloads.indices {
          $0.workloads[place].arrivals = workloads[place].arrivals.map { $0 - instant(vsyncs) }
        }
      }
    }
  }

  private var simpler: [ScreenCase] {
    [
      with { $0.buffers = nil }, with { $0.compositor = nil }, with { $0.yield = nil },
      with { $0.yield?.every = nil }, with { $0.drain = nil }, with { $0.coalesces = false },
      with { $0.later = 0 }, with { $0.reads = [] }, with { $0.parts = [] },
      with { $0.parts = $0.parts.map { Part(costs: $0.costs) } },
      with { for part in $0.parts.indices { $0.parts[part].unit = nil } },
      with { for part in $0.parts.indices { $0.parts[part].hits = 0 } },
      with { for part in $0.parts.indices { $0.parts[part].budget = nil } },
      with { for part in $0.parts.indices { $0.parts[part].lane = nil } },
      with { if !$0.parts.isEmpty { $0.parts.removeLast() } }, with { $0.widths = [:] },
      with { $0.frameTime = .newest }, with { $0.isQueued = false }, with { $0.deferral = nil },
      with { $0.loop = $0.loop == .frame ? .frame : .events },
      with {
        $0.isOnDemand = false; $0.requests = []
      },
    ]
      + (deadline > 1
        ? [
          with {
            $0.deadline -= 1; $0.buffers = $0.buffers.map { $0 - 1 }
          }
        ] : [])
  }

  private var fewer: [ScreenCase] {
    workloads.indices.map { place in with { $0.workloads.remove(at: place) } }
      + requests.indices.map { place in with { $0.requests.remove(at: place) } }
  }

  private var smallerWorkloads: [ScreenCase] {
    workloads.indices.flatMap { place in
      workloads[place].smaller.map { workload in with { $0.workloads[place] = workload } }
    }
  }
}

extension ScreenCase.Workload {
  fileprivate var smaller: [Self] {
    var smaller: [Self] = []
    func add(_ change: (inout Self) -> Void) {
      var changed = self
      change(&changed)
      smaller.append(changed)
    }
    add { $0.result = 0 }
    add { $0.draws = false }
    add { $0.isTimer = false }
    add { $0.isInput = false }
    add { $0.newest = nil }
    if arrivals.count > 1 {
      for arrival in arrivals.indices { add { $0.arrivals.remove(at: arrival) } }
    }
    for step in steps.indices {
      if steps.count > 1 { add { $0.steps.remove(at: step) } }
      add { $0.steps[step].isFork = false }
      add { $0.steps[step].joins = false }
      add { $0.steps[step].answers = false }
      add { $0.steps[step].slice = nil }
      add { $0.steps[step].repeats = 1 }
      add { $0.steps[step].repeats = min(2, $0.steps[step].repeats) }
      add { $0.steps[step].suspension = nil }
      add { $0.steps[step].suspension?.resource = nil }
    }
    return smaller
  }
}
