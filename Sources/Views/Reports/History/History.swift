internal import FrameBudgetAdvice
public import FrameBudget

/// Metrics from commit to commit, and the commits that changed them.
public struct History: Sendable {
  /// By subject in the order of the file, then in the order of the catalogue.
  public let series: [Series]

  /// A metric of one subject, over the commits in the order in which they were added.
  public struct Series: Sendable {
    let subject: HistorySubject
    public let metric: Metric
    public let isGated: Bool
    let records: [HistoryRecord]
    /// Whether the values have no noise: virtual runs of the same seeds.
    public let isExact: Bool
    /// In the order of the commits.
    public let changes: [Change]

    /// The largest number of commits that are searched: the newest ones.
    static let most = 500

    /// Whether no change could be found.
    public var isTooShort: Bool {
      records.count < (isExact ? 2 : ChangePointSearch.fewest)
    }

    /// The commits that a change needs: it, and those after it.
    var shortest: Int { isExact ? 1 : ChangePointSearch.shortest }

    /// The newest change that counts by the gate's size; nil if there is none.
    var newestCounted: Change? {
      changes.last { $0.metric.verdict == .worse || $0.metric.verdict == .better }
    }
  }

  /// A commit that changed a metric.
  public struct Change: Sendable {
    /// The place of the commit in its series.
    public let place: Int
    public let commit: String
    let started: String
    /// The commits since the last change against those until the next one. Its p is that of the search; its verdict says whether
    /// the change counts by the gate's size.
    public internal(set) var metric: MetricComparison
  }

  /// The gated metrics, and those in `shown`, of `records`.
  public init(_ records: [HistoryRecord], gates: [Gate] = Gate.standard, shown: [String] = []) {
    let gateOf = Dictionary(gates.map { ($0.metric, $0) }) { _, last in last }
    let names = Set(gates.map(\.metric) + shown)
    let catalogue = MetricCatalog.compared.filter { names.contains($0.name) }
    series = records.grouped(by: \.subject).flatMap { subject, records in
      let byMetric = Dictionary(grouping: records, by: \.metric)
      return catalogue.compactMap { metric in
        byMetric[metric.name].map { Series(subject, metric, gateOf[metric.name], $0) }
      }
    }
  }

  /// Whether a metric became worse, for a gate.
  ///
  /// - Parameter newest: the number of newest commits in which a change counts: older ones are known.
  /// - Returns: a regression if the newest change of a gated metric is for the worse, and so recent.
  public func outcome(within newest: Int) -> ResultComparison.Outcome {
    if !regressions(within: newest).isEmpty { return .regression }
    // A gate that can find nothing proves nothing.
    let searched = series.filter { $0.isGated && !$0.isTooShort }
    return searched.isEmpty || searched.contains { $0.shortest > newest } ? .inconclusive : .holds
  }

  /// The smallest number of newest commits in which a change of every gated series can count.
  var fewestForGate: Int { series.filter(\.isGated).map(\.shortest).max() ?? 1 }

  /// The gated series whose newest change that counts is for the worse, and so recent.
  func regressions(within newest: Int) -> [(series: Series, change: Change)] {
    newestChanges(.worse).filter { $0.series.records.count - $0.change.place <= newest }
  }

  /// The gated series whose newest change that counts has that verdict.
  func newestChanges(
    _ verdict: MetricComparison.Verdict
  ) -> [(series: Series, change: Change)] {
    series.filter(\.isGated).compactMap { series in
      guard let newest = series.newestCounted, newest.metric.verdict == verdict else { return nil }
      return (series, newest)
    }
  }
}

extension History.Series {
  fileprivate init(
    _ subject: HistorySubject, _ metric: Metric, _ gate: Gate?, _ records: [HistoryRecord]
  ) {
    self.subject = subject
    self.metric = metric
    isGated = gate != nil
    self.records = Array(
      Self.alike(records, metric, subject.source).suffix(Self.most))
    isExact = subject.isVirtual && Set(self.records.map(\.seeds)).count <= 1
    let levels = Levels(metric: metric, gate: gate, records: self.records)
    changes = isExact ? levels.exact() : levels.searched()
  }

  /// The newest records in which the metric has the same meaning, of runs of the same length.
  private static func alike(
    _ records: [HistoryRecord], _ metric: Metric, _ source: MeaningChange.Source
  ) -> ArraySlice<HistoryRecord> {
    guard let newest = records.last else { return [] }
    let other = records.lastIndex { record in
      MetricCatalog.changed(among: [record.resultSchema, newest.resultSchema], of: source)
        .contains(metric.name) || newest.isOfOtherLength(record, metric)
    }
    return records[(other.map { $0 + 1 } ?? 0)...]
  }
}

/// The values of a series between its changes.
private struct Levels {
  let metric: Metric
  let gate: Gate?
  let records: [HistoryRecord]

  /// Without noise every commit that differs by more than `compare` ignores is a change.
  func exact() -> [History.Change] {
    var changes: [History.Change] = []
    var level = 0
    for place in records.indices.dropFirst() {
      let compared = samples(level..<(level + 1), place..<(place + 1), isExact: true).compared()
      guard compared.verdict == .worse || compared.verdict == .better else { continue }
      changes.append(change(at: place, compared))
      level = place
    }
    return changes
  }

  /// With noise, the change points.
  func searched() -> [History.Change] {
    let found = ChangePointSearch.changePoints(of: records.map(\.value))
    let ends = [0] + found.map(\.place) + [records.count]
    return found.enumerated().map { number, point in
      let samples = samples(
        ends[number]..<point.place, point.place..<ends[number + 2], isExact: false)
      var compared = samples.compared()
      compared.p = point.p
      (compared.verdict, compared.note) = samples.conclusion(compared, p: point.p, tests: 1)
      return change(at: point.place, compared)
    }
  }

  private func samples(
    _ base: Range<Int>, _ new: Range<Int>, isExact: Bool
  ) -> MetricSamples {
    MetricSamples(
      metric: metric, gate: gate, base: records[base].map(\.observation),
      new: records[new].map(\.observation), isExact: isExact, hasChanged: false,
      framesOfCapture: nil)
  }

  private func change(at place: Int, _ compared: MetricComparison) -> History.Change {
    History.Change(
      place: place, commit: records[place].commit, started: records[place].started,
      metric: compared)
  }
}
