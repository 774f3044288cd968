import FrameBudget

extension ArrangementDecoder {
  /// `all`, `{batch: N, every: T}` or `{fitting: {estimate, unit, look-ahead}}`.
  func admission(_ node: SourceNode) -> Admission? {
    if node.text != nil {
      return ScalarReader<OnlyAll>.choice("an admission").value(of: node, faults).map { _ in .all }
    }
    let keys = ["batch", "every", "fitting"]
    guard let fields = Fields(node, of: "an admission", keys: keys, faults) else { return nil }
    if let fitting = fields["fitting"] {
      for key in fields.present(["batch", "every"]) {
        faults.record(
          "'\(key)' stands beside 'fitting'; allowed is one admission", at: fields.origin(of: key))
      }
      return self.fitting(fitting).map { .fitting($0) }
    }
    let batch = fields.required("batch", .wholeNumber(in: 1...Limits.items))
    let every = fields.required("every", .duration)
    guard let batch, let every else { return nil }
    return .batch(batch, every: every)
  }

  private func fitting(_ node: SourceNode) -> Admission.Fitting? {
    let keys = ["estimate", "unit", "look-ahead"]
    guard let fields = Fields(node, of: "fitting", keys: keys, faults) else { return nil }
    var fitting = Admission.Fitting()
    fitting.estimate = fields.optional("estimate", .choice("an estimate")) ?? fitting.estimate
    fitting.unit = fields.optional("unit", .choice("a unit")) ?? fitting.unit
    fitting.lookAhead = fields.optional("look-ahead", .flag) ?? fitting.lookAhead
    return fitting
  }

  /// `direct`, `locked`, `snapshot`, or `{snapshot: per-frame}`, `{snapshot: per-step}`.
  func reading(_ node: SourceNode) -> Reading? {
    guard node.text == nil else {
      return ScalarReader<ReadingName>.choice("a way to read").value(of: node, faults)?.reading
    }
    return Fields(node, of: "reads", keys: ["snapshot"], faults)?
      .required("snapshot", .choice("a rule for publishing")).map { .snapshot($0) }
  }

  /// `{every: step, resumes: in-turn}`, or a duration in place of the step.
  func yielding(_ node: SourceNode) -> Yielding? {
    guard let fields = Fields(node, of: "yield", keys: ["every", "resumes"], faults) else {
      return nil
    }
    let grain = fields.optional("every", .grain)
    let resumes: Yielding.Resumption? = fields.optional("resumes", .choice("what comes first"))
    return Yielding(grain ?? .step, resumes: resumes ?? .inTurn)
  }

  /// `in-place`, `coalesced` or `{drain: 2 ms}`.
  func returning(_ node: SourceNode) -> Returning? {
    guard node.text == nil else {
      return ScalarReader<ReturningName>.choice("a way to return results")
        .value(of: node, faults)?.returning
    }
    return Fields(node, of: "results", keys: ["drain"], faults)?.required("drain", .duration)
      .map { .drained(budget: $0) }
  }
}

extension ScalarReader<Yielding.Grain> {
  fileprivate static var grain: Self {
    ScalarReader("'step' or a duration such as 5 ms") { text throws(Quantity.Failure) in
      if text == "\(Yielding.Grain.step)" { return .step }
      guard text.first?.isNumber ?? false else {
        throw Quantity.Failure("is neither; allowed are 'step' or a duration such as 5 ms")
      }
      return .after(try ScalarReader<TimeSpan>.positiveDuration.read(text))
    }
  }
}

private enum OnlyAll: String, CaseIterable { case all }

private enum ReadingName: String, CaseIterable {
  case direct, locked, snapshot

  var reading: Reading {
    switch self {
    case .direct: .direct
    case .locked: .locked
    case .snapshot: .snapshot(.standard)
    }
  }
}

private enum ReturningName: String, CaseIterable {
  case inPlace = "in-place"
  case coalesced

  var returning: Returning { self == .inPlace ? .inPlace : .coalesced }
}
