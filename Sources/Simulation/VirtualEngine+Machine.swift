internal import FrameBudget

// The threads and queues of a run, as its machine has them.
extension VirtualEngine {
  /// Those of the lanes, that of the second stage, those of pools, and those of other processes.
  func threads(
    of plan: RunPlan, _ workers: borrowing LaneWorkers, on machine: Machine
  ) -> [ThreadRequest] {
    let (lanes, pools) = (plan.arrangement.lanes, workers.pools)
    var requests = workers.runners.map { runner in
      var request = request(for: lanes[runner.lane], isMain: runner.lane == .main)
      // Where a pool serves the lane, workers do what its threads do elsewhere.
      request.runs = !pools.serves(runner.lane)
      return request
    }
    if plan.scenario.display.pipeline.hasSecondStage {
      requests.append(ThreadRequest(scheduling.secondStagePriority))
    }
    requests += pools.workers.map { worker in
      ThreadRequest(scheduling.priority(nice: pools.pools[worker.pool].nice))
    }
    let monitors = pools.threads - pools.workers.count
    let others = ThreadRequest(.fair(nice: 0))
    return requests + Array(repeating: others, count: monitors + machine.busy)
  }

  private func request(for lane: Lane, isMain: Bool) -> ThreadRequest {
    var request = ThreadRequest(scheduling.priority(of: lane, isMain: isMain))
    request.cores = lane.cores ?? .all
    return request
  }

  /// One for each lane, that of the second stage, and two for each pool.
  func queues(of plan: RunPlan, _ pools: WorkerPools, start: Instant) -> [VirtualQueue] {
    let lanes = plan.arrangement.lanes
    let own = lanes.map { lane in
      let costs = costs.handOff(to: lane)
      return VirtualQueue(
        costs: costs, firstLook: start + plan.phase(of: lane, period: costs.lookEvery))
    }
    let secondStage = plan.scenario.display.pipeline.hasSecondStage ? [VirtualQueue()] : []
    return own + secondStage
      + pools.pools.indices.flatMap { pool in
        let served = lanes.indices.filter { pools.ofLane[$0] == pool }.map { lanes[$0] }
        return [VirtualQueue(costs: wakingCosts(of: served)), VirtualQueue()]
      }
  }

  /// Of lanes of several mechanisms the dearest: who posts pays for the post itself by lane.
  private func wakingCosts(of lanes: [Lane]) -> HandOffCosts {
    let all = lanes.map { costs.handOff(to: $0) }
    return HandOffCosts(
      post: .zero, wake: all.map(\.wake).max() ?? .zero,
      latency: all.map(\.latency).max() ?? .zero)
  }
}
