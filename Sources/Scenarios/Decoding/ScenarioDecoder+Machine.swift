import FrameBudget

// What a simulation runs the app on.
extension ScenarioDecoder {
  private static let machineKeys = ["cores", "speeds", "scheduler", "pools", "slice", "busy"]

  /// Nil where it cannot be read.
  func machine(_ node: SourceNode) -> Machine? {
    guard let fields = Fields(node, of: "machine", keys: Self.machineKeys, faults),
      var machine = cores(fields)
    else { return nil }
    machine.scheduler = fields.optional("scheduler", .choice("a scheduler")) ?? machine.scheduler
    machine.hasPools = fields.optional("pools", .flag) ?? machine.hasPools
    machine.slice = fields.optional("slice", .slice)
    machine.busy = fields.optional("busy", .wholeNumber(in: Machine.busyThreads)) ?? 0
    return machine
  }

  private func cores(_ fields: Fields) -> Machine? {
    let cores = fields.optional("cores", .wholeNumber(in: 1...Limits.cores))
    guard let list = fields["speeds"] else {
      if fields["cores"] == nil { return Machine() }
      return cores.map { Machine(cores: $0) }
    }
    let speeds = list.items(of: "cores' speeds", limit: Limits.cores, faults)?
      .compactMap { ScalarReader.speed.value(of: $0, faults) }
    guard let speeds else { return nil }
    if speeds.isEmpty || cores.map({ $0 != speeds.count }) == true {
      faults.record(
        "there are \(speeds.count) speeds; allowed is one for each core", at: list.origin)
      return nil
    }
    return Machine(speeds: speeds)
  }
}

extension ScalarReader<TimeSpan> {
  fileprivate static var slice: Self {
    let (least, most) = (Machine.slices.lowerBound, Machine.slices.upperBound)
    return duration.checked(
      "is out of range; allowed are durations from \(least) to \(most)", Machine.slices.contains)
  }
}
