internal import FrameBudgetAdvice
internal import FrameBudget
internal import FrameBudgetReports

/// The arrangements of advice under unique names: the current one, then the proposals, or the nearest one if there is no
/// proposal.
struct AdvisedArrangements {
  private let advice: Advice
  private let list: [Named]

  private struct Named {
    let name: String
    let role: AdviceRecord.Role
    let trial: Trial
    var proposal: Proposal?
    /// Whether it is the first proposal, or the current one if nothing has to change.
    let isRecommended: Bool
  }

  /// Searches for the answer; `maker` shows the progress, and may be interrupted.
  init(of request: AdviceRequest, _ maker: some RunMaker) {
    self.init(Adviser(request, maker: maker).advice())
  }

  init(_ advice: Advice) {
    self.advice = advice
    let taken = Set(advice.request.scenario.strategies.map(\.name))
    let today = Named(
      name: advice.request.today.label, role: .today, trial: advice.today,
      isRecommended: advice.verdict == .nothingToChange)
    let proposals = advice.proposals.enumerated().map { place, proposal in
      Named(
        name: Self.free("advice-\(place + 1)", taken), role: .advice, trial: proposal.trial,
        proposal: proposal, isRecommended: place == 0)
    }
    let nearest = advice.nearest.map { trial in
      Named(
        name: Self.free("nearest", taken), role: .nearest, trial: trial, isRecommended: false)
    }
    list = [today] + proposals + [nearest].compactMap(\.self)
  }

  private static func free(_ name: String, _ taken: Set<String>) -> String {
    taken.contains(name) ? free(name + "-new", taken) : name
  }

  /// The strategies of all arrangements, for a scenario that compares them.
  var strategies: [Strategy] {
    let today = advice.request.today
    return [Strategy(name: today.name, options: today.options, arrangement: today.arrangement)]
      + list.dropFirst().map {
        Strategy(name: $0.name, arrangement: $0.trial.arrangement, isAdvised: true)
      }
  }

  /// What is written and shown.
  var record: AdviceRecord { AdviceRecord(rows: list.map(row)) }

  var isInterrupted: Bool { advice.count.isCut }

  var status: ExitStatus { advice.verdict == .nothingHelps ? .failed : .success }

  /// The answer for people.
  func text(width: Int, isColored: Bool) -> String {
    AdviceText(record, width: width, isColored: isColored)?.text ?? ""
  }

  private func row(_ named: Named) -> AdviceRecord.Row {
    var row = AdviceRecord.Row(advice)
    (row.arrangement, row.role, row.isRecommended) = (named.name, named.role, named.isRecommended)
    row.add(named.trial, of: advice.request.scenario)
    if let proposal = named.proposal { row.add(proposal) }
    if named.role == .today { row.certainty.isProven = advice.isTodayProven }
    return row
  }
}

extension AdviceRecord.Row {
  /// A row with what is true of all arrangements.
  fileprivate init(_ advice: Advice) {
    self.init()
    let (scenario, demand) = (advice.request.scenario, advice.demand)
    subject = QuestionSubject(scenario, cores: scenario.machine.cores)
    (aims, verdict, count) = (advice.aims.list, advice.verdict, advice.count)
    count.isExhaustive = count.isExhaustive && !count.isCut
    self.demand = demand.perSecond.asWritten
    capacity = demand.cores.asWritten
    (work, drawing) = (demand.work.asWritten, demand.drawing.asWritten)
    (onlyMain, results) = (demand.main.asWritten, demand.results.asWritten)
    bottleneck = demand.bottleneck.map {
      Bottleneck(name: $0.name, parallel: $0.parallel, time: $0.time.asWritten)
    }
    drawingAlone = advice.drawingAlone?.outcome.dropped
    drawingPart = advice.drawingAlone?.heaviest?.part ?? ""
    drawingWithoutPart = advice.drawingAlone?.heaviest?.without.dropped
    foresight = AdviceRecord.Foresight(advice.foresight)
    if let found = advice.keeping {
      (keeping.part, keeping.percent) = (found.part, found.percent)
      (keeping.today, keeping.dropped) = (found.dropped.today, found.dropped.kept)
    }
  }

  fileprivate mutating func add(_ trial: Trial, of scenario: Scenario) {
    (moves, change) = (trial.words, trial.weight)
    (moved, newLanes) = (trial.change.moved.count, trial.change.lanes)
    (newLocks, newRules, splitCalls) = (
      trial.change.locks, trial.change.policies, trial.change.splits
    )
    homes = Self.homes(trial.arrangement, of: scenario)
    let found = trial.outcome
    (meetsAims, outcome, frames) = (found.meets, AdviceRecord.Outcome(found), found.frames)
    price = StrategyPrice(
      lockWait: found.price.lockWait.asWritten, copying: found.price.copying.asWritten,
      handOff: found.price.handOff.asWritten, waits: StrategyPrice.Waits(trial.arrangement))
    incomplete = found.incomplete?.frames
    partAge = found.incomplete?.longest.asWritten
    let periods = trial.change.periodsLater
    later =
      periods > 0
      ? (scenario.display.refresh.period * periods).inMilliseconds.asWritten : nil
    response = found.price.response?.value.asWritten
    content = found.price.content?.value.asWritten
    isResponseBound = found.price.response?.isBound ?? false
    isContentBound = found.price.content?.isBound ?? false
    ranges = StatedRanges(trial.range)
  }

  fileprivate mutating func add(_ proposal: Proposal) {
    certainty = AdviceCertainty(proposal)
    margins = proposal.margins.dropFirst().map { margin in
      AdviceRecord.ServiceMargin(
        service: margin.service ?? "", percent: margin.percent,
        endedBy: margin.end?.aim.metric ?? "")
    }
    effects = proposal.effects.map { effect in
      var found = AdviceRecord.Effect()
      found.words = effect.words
      found.without = effect.without.map(AdviceRecord.Outcome.init)
      found.alone = effect.alone.map(AdviceRecord.Outcome.init)
      return found
    }
  }

  /// The place of each service, with the copies of a service as one entry.
  private static func homes(
    _ arrangement: Arrangement, of scenario: Scenario
  ) -> [AdviceRecord.ServiceHome] {
    let places = scenario.services.indexed.map { index, service in
      (service.fileName, arrangement.nameOfPlace(of: index))
    }
    return places.grouped { $0.0 }.map { name, group in
      let one = Set(group.map(\.1)).count == 1
      return AdviceRecord.ServiceHome(
        service: name, place: one ? group[0].1 : "places of their own")
    }
  }
}

extension AdviceRecord.Foresight {
  fileprivate init(_ foresight: Foresight?) {
    self.init()
    parts = (foresight?.parts ?? []).map { Lead(part: $0.name, frames: $0.frames) }
    moves = foresight?.trial.words ?? []
    dropped = foresight?.trial.outcome.dropped
  }
}

extension AdviceRecord.Outcome {
  fileprivate init(_ outcome: Outcome) {
    self.init(
      dropped: outcome.dropped, late: outcome.late, pending: outcome.pending,
      backlog: outcome.left)
  }
}
