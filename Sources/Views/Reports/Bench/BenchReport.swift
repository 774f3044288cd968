public import FrameBudget

/// The output of `bench` for people: a table of medians, a comparison of our scheduler, and the cost of copying.
public enum BenchReport {
  public static func text(
    _ measured: [HandOffMeasurement], copies: [CopyMeasurement] = [],
    machine: MachineMeasurement? = nil, width: Int, isColored: Bool
  ) -> String {
    let summaries = HandOffSummary.grouped(measured)
    guard !summaries.isEmpty else { return "no measurements\n" }
    var columns = columns
    while columns.count > 1, table(summaries, columns).width > width { columns.removeLast() }
    let lines = table(summaries, columns).text(isColored: isColored)
    let notes = (comparisons(summaries) + [legend(measured)]).flatMap {
      Paragraph.wrapped($0, width: width, indent: "  ")
    }
    let copying = copying(copies, width: width, isColored: isColored)
    let found = machine.map { [""] + Paragraph.wrapped(words($0), width: width) } ?? []
    return (lines + [""] + notes + copying + found).joined(separator: "\n") + "\n"
  }

  /// The scheduling of the machine, as far as it is known.
  private static func words(_ machine: MachineMeasurement) -> String {
    let found = machine.calibration
    let parts = [
      found.cores.map { English.count($0, "core") },
      found.slice.map { "a thread keeps its core for \(time($0)) while another one waits" },
      machine.contextSwitch.map { "a switch takes \(time($0))" },
      found.wakesOnIdle.map { percent in
        "\(percent) % of the threads that wake while their core is busy get an idle one"
          + (found.idleWake.map { ", \(time($0)) later" } ?? "")
      },
    ]
    return "machine: " + parts.compactMap(\.self).joined(separator: "; ")
  }

  private static func time(_ span: TimeSpan) -> String { time(Double(span.nanoseconds)) }

  /// A line for each size of a state; empty without measurements.
  private static func copying(
    _ copies: [CopyMeasurement], width: Int, isColored: Bool
  ) -> [String] {
    if copies.isEmpty { return [] }
    let sizes = Set(copies.map(\.records)).sorted()
    let table = TextTable(
      titles: [["", "records"], ["copied", "per record"], ["freed", "per record"]],
      lines: sizes.map { size in
        let rows = copies.filter { $0.records == size }
        let cells =
          ["\(size)"]
          + [\CopyMeasurement.copyPerRecord, \.releasePerRecord].map { value in
            time(rows.map { $0[keyPath: value] }.median)
          }
        return .cells(cells.map { TextTable.Cell(text: $0) })
      })
    let legend =
      "copied: the first change after a snapshot of a state of that size was published; freed: "
      + "dropping the last reference to a snapshot. One thread changes, another one shows."
    return [""] + table.text(isColored: isColored) + [""]
      + Paragraph.wrapped(legend, width: width, indent: "  ")
  }

  private struct Column: Sendable {
    let title: [String]
    let text: @Sendable (HandOffSummary) -> String
  }

  private static let columns = [
    Column(title: ["", "carrier"]) { $0.name },
    Column(title: ["events/s", "1 producer"]) { rate($0.rate(1)) },
    Column(title: ["events/s", "2 producers"]) { rate($0.rate(2)) },
    Column(title: ["post", "p50"]) { time($0.median(1) { $0.post.p50 }) },
    Column(title: ["post", "p99"]) { time($0.median(1) { $0.post.p99 }) },
    Column(title: ["idle", "p50"]) { time($0.median(1) { $0.idle?.latency.p50 }) },
    Column(title: ["idle", "p99"]) { time($0.median(1) { $0.idle?.latency.p99 }) },
    Column(title: ["wakes", "/1000"]) {
      $0.median(1) { $0.wakesPerThousand }.map(Figure.text) ?? ""
    },
    Column(title: ["idle", "max"]) { time($0.median(1) { $0.idle?.latency.max }) },
  ]

  private static func table(_ summaries: [HandOffSummary], _ columns: [Column]) -> TextTable {
    TextTable(
      titles: columns.map(\.title),
      lines: summaries.map { summary in
        .cells(columns.map { TextTable.Cell(text: $0.text(summary)) })
      })
  }

  /// The advantage of the default queue over the usual mechanisms of apps and servers, for each of its methods.
  private static func comparisons(_ summaries: [HandOffSummary]) -> [String] {
    guard let plain = summaries.first(where: { $0.carrier == .scheduler }) else { return [] }
    let ours = summaries.filter { $0.carrier == .scheduler && $0.queue == plain.queue }
    return ours.flatMap { comparisons(of: $0, with: summaries) }
  }

  private static func comparisons(
    of ours: HandOffSummary, with summaries: [HandOffSummary]
  ) -> [String] {
    [CarrierKind.dispatch, .nio, nil].compactMap { kind in
      guard let other = summaries.first(where: { $0.carrier == kind }),
        let one = factor(ours.rate(1), other.rate(1)), let two = factor(ours.rate(2), other.rate(2))
      else { return nil }
      return "- \(ours.name) handles \(one) times the events per second of \(other.name) from one "
        + "producer, \(two) times from two."
    }
  }

  private static func factor(_ ours: Double?, _ other: Double?) -> String? {
    guard let ours, let other, other > 0 else { return nil }
    return Figure.text(ours / other)
  }

  private static func legend(_ measured: [HandOffMeasurement]) -> String {
    let repetitions = Set(measured.map(\.repetition)).count
    return "Medians of \(English.count(repetitions, "repetition")). post: the time of one producer "
      + "per post in a stream; idle: from the post to a sleeping carrier until the event runs; "
      + "wakes: how often its thread was woken, or slept, per thousand events, if known."
      + (measured.contains { $0.carrier == nil } ? " \(limitLegend)" : "")
  }

  private static let limitLegend =
    "\(HandOffMeasurement.name(of: nil)): the lower limit, in which memory is allocated, pushed by one atomic exchange, and freed by another thread."

  private static func rate(_ rate: Double?) -> String {
    guard let rate else { return "" }
    return rate >= 999_500 ? "\(Figure.text(rate / 1e6)) M" : "\(Figure.text(rate / 1e3)) k"
  }

  private static func time(_ nanoseconds: Double?) -> String {
    guard let nanoseconds else { return "" }
    if nanoseconds < 999.5 { return "\(Figure.text(nanoseconds)) ns" }
    return Figure.span(milliseconds: nanoseconds / 1e6)
  }
}

/// One subject of `bench` over all repetitions. Its figures are medians, which a single disturbance does not affect.
struct HandOffSummary {
  let carrier: CarrierKind?
  let queue: String?
  let verb: String?
  private let measured: [HandOffMeasurement]

  /// In the order of their first rows.
  static func grouped(_ measured: [HandOffMeasurement]) -> [HandOffSummary] {
    measured.grouped { [$0.carrier?.rawValue, $0.queue, $0.verb] }.compactMap { _, rows in
      rows.first.map {
        HandOffSummary(carrier: $0.carrier, queue: $0.queue, verb: $0.verb, measured: rows)
      }
    }
  }

  var name: String {
    let name = HandOffMeasurement.name(of: carrier)
    let details = [queue, verb].compactMap(\.self)
    return details.isEmpty ? name : "\(name) (\(details.joined(separator: ", ")))"
  }

  /// The median of `value` over the repetitions with that many producers; nil if no repetition has it.
  func median(_ producers: Int, _ value: (HandOffMeasurement) -> Double?) -> Double? {
    measured.filter { $0.producers == producers }.compactMap(value).median
  }

  func rate(_ producers: Int) -> Double? { median(producers) { $0.eventsPerSecond } }
}

/// The lines of `bench --format csv`: one for each subject, number of producers and repetition, then one for each size of a
/// state and repetition.
public enum BenchCSV {
  static let schema = 1

  /// The columns, which are also the keys in JSON.
  static let columns: [Column<HandOffMeasurement>] = [
    Column(RunKey.schema.name, "version of these columns") { _ in .count(schema) },
    Column("carrier", "carrier; limit: memory that is allocated, pushed and freed") {
      .text(HandOffMeasurement.name(of: $0.carrier))
    },
    Column("queue", "the carrier's queue, if it has several") {
      $0.queue.map(MetricValue.text)
    },
    Column("producers", "number of threads that posted at once") { .count($0.producers) },
    Column(.repetition) { .count($0.repetition) },
    Column("events_per_s", "events that ran per second, in a stream") {
      .real($0.eventsPerSecond.rounded())
    },
    Column("post_ns_p50", "median duration of a post, in a stream") { .real($0.post.p50) },
    Column("post_ns_p99", "99th percentile") { .real($0.post.p99) },
    Column("latency_us_p50", "median, from a post to a sleeper until it runs", .microseconds) {
      ($0.idle?.latency.p50).map { .real($0 / 1000) }
    },
    Column("latency_us_p99", "99th percentile", .microseconds) {
      ($0.idle?.latency.p99).map { .real($0 / 1000) }
    },
    Column("latency_us_max", "the longest", .microseconds) {
      ($0.idle?.latency.max).map { .real($0 / 1000) }
    },
    Column("wakes_per_1000", "how often its thread was woken, or slept, in 1000 events") {
      $0.wakesPerThousand.map(MetricValue.real)
    },
    Column(
      "verb", "the kind of call, if it is not the carrier's usual one"
    ) {
      $0.verb.map(MetricValue.text)
    },
  ]

  /// The columns of copying, after those of hand-offs; both have the repetition.
  static let copyColumns: [Column<CopyMeasurement>] = [
    Column("records", "size of the copied state", .count) { .count($0.records) },
    Column("copy_ns_per_record", "median of copying it, per record") { .real($0.copyPerRecord) },
    Column("release_ns_per_record", "median of freeing the copy, per record") {
      .real($0.releasePerRecord)
    },
  ]

  public static func text(
    _ measured: [HandOffMeasurement], copies: [CopyMeasurement] = []
  ) -> String {
    let (handOffs, copying) = (LineFormat(columns), LineFormat(copyColumns))
    let head = columns.map(\.name) + copyColumns.map(\.name)
    let measured = measured.map { handOffs.cells($0) + copying.cells(nil) }
    let copied = copies.map { row in
      columns.map { shared($0.name, row)?.description ?? "" } + copying.cells(row)
    }
    return ([head] + measured + copied).map(CSV.line).joined()
  }

  private static func shared(_ column: String, _ row: CopyMeasurement) -> MetricValue? {
    switch RunKey(rawValue: column) {
    case .schema: .count(schema)
    case .repetition: .count(row.repetition)
    default: nil
    }
  }
}

/// `bench --format json`: the machine and its state, and every measurement with the names of the CSV's columns.
public enum BenchJSON {
  public static func text(
    _ measured: [HandOffMeasurement], copies: [CopyMeasurement] = [],
    machine: MachineMeasurement? = nil, _ circumstances: Circumstances
  ) -> String {
    let rows = measured.map(LineFormat(BenchCSV.columns).json)
    let copies = copies.map { row in
      JSON.object(
        [(RunKey.repetition.name, JSON.number(String(row.repetition)))]
          + BenchCSV.copyColumns.map { ($0.name, JSON($0.value(row))) })
    }
    let head = RunJSON.head(
      BenchCSV.schema, circumstances,
      MeasurementWarnings.machine(circumstances).map(\.description))
    let found = machine.map { [(name: "found", value: JSON.object(CostsJSON.found($0)))] } ?? []
    return JSON.object(
      head + [("measurements", .array(rows)), ("copying", .array(copies))] + found
    )
    .written()
      + "\n"
  }
}
