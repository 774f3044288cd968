/// What INP says of the inputs of a run or a page: the longest interaction, one left out for each 50, and its three parts.
///
/// The definition is that of Google's web-vitals library, version 5.3, over all inputs; version 6.0 has the same, apart from
/// soft navigations.
public struct Interactions: Sendable {
  /// How many interactions there were.
  public let count: Int
  /// The interaction that INP is of; nil without any.
  public let inp: Parts?

  /// An input, as Event Timing has it, in nanoseconds of one clock.
  public struct Input: Sendable {
    /// What the events of one click, tap or key press share; 0 of events that belong to none.
    public let interaction: Int64
    /// When the user acted.
    public let at: Int64
    /// From the begin of the first handler to the end of the last one.
    public let handlers: ClosedRange<Int64>
    /// When the next picture was shown; of an open one, the time of the last query.
    public let paint: Int64
    /// Whether no picture has followed its handlers.
    public let isOpen: Bool

    /// Nothing of it is checked.
    public init(
      interaction: Int64, at: Int64, handlers: ClosedRange<Int64>, paint: Int64,
      isOpen: Bool = false
    ) {
      (self.interaction, self.at, self.handlers) = (interaction, at, handlers)
      (self.paint, self.isOpen) = (paint, isOpen)
    }

    /// Its duration as pages see it.
    fileprivate var duration: Int64 {
      (paint - at + Interactions.resolution / 2) / Interactions.resolution * Interactions.resolution
    }
  }

  /// An interaction and what its time went to.
  public struct Parts: Sendable {
    /// From the input to the next picture, in steps of 8 ms.
    public let duration: TimeSpan
    /// From the input to the first handler whose effects that picture shows.
    public let inputDelay: TimeSpan
    /// From there to the end of the last one.
    public let processing: TimeSpan
    /// From there to the picture.
    public let presentationDelay: TimeSpan
    /// Whether no picture had followed: then all of it is as far as it had come.
    public let isOpen: Bool
  }

  /// What durations of Event Timing are rounded to, and by how much the paints of one picture may differ.
  private static let resolution: Int64 = 8_000_000
  /// One of this many interactions is left out, and no more than `candidates - 1`.
  private static let interactionsPerOutlier = 50
  private static let candidates = 10

  /// Of inputs in any order.
  public init(_ inputs: [Input]) {
    var slowest: [Int64: Input] = [:]
    for input in inputs where input.interaction > 0 {
      if Self.isSlower(input, than: slowest[input.interaction]) {
        slowest[input.interaction] = input
      }
    }
    count = slowest.count
    let order = slowest.values.sorted { Self.rank($0) > Self.rank($1) }
    let place = min(count / Self.interactionsPerOutlier, Self.candidates - 1, order.count - 1)
    inp = order.indices.contains(place) ? Self.parts(of: order[place], among: inputs) : nil
  }

  /// The slowest first; of equal ones the later.
  private static func rank(_ input: Input) -> (Int64, Int64, Int64) {
    (input.duration, input.at, input.interaction)
  }

  /// Of equal ones the first counts.
  private static func isSlower(_ input: Input, than known: Input?) -> Bool {
    guard let known else { return true }
    return (input.duration, -input.at) > (known.duration, -known.at)
  }

  /// What happened between the input and the paint: all handlers whose effects the same picture showed count.
  private static func parts(of input: Input, among inputs: [Input]) -> Parts {
    let frame =
      input.isOpen
      ? [input]
      : inputs.filter {
        !$0.isOpen && ($0.paint - input.paint).magnitude <= resolution.magnitude
      }
    let begin = frame.map(\.handlers.lowerBound).min() ?? input.at
    let last = frame.map(\.handlers.upperBound).max() ?? input.at
    let start = max(begin, input.at)
    let paint = max(input.at + input.duration, start)
    let end = max(start, min(last, paint))
    return Parts(
      duration: .nanoseconds(input.duration), inputDelay: .nanoseconds(start - input.at),
      processing: .nanoseconds(end - start), presentationDelay: .nanoseconds(paint - end),
      isOpen: input.isOpen)
  }
}

extension Interactions {
  /// Those of workloads whose items are inputs, in a run that ended at `end` and showed nothing after `lastVsync`.
  init(_ logs: [ItemLog], by lastVsync: Instant, end: TimeSpan) {
    var inputs: [Input] = []
    for log in logs {
      log.forEachInput { at, handlers, paint in
        let isOpen = paint < 0 || paint > lastVsync.nanoseconds
        let begin = handlers.begin < 0 ? end.nanoseconds : min(handlers.begin, end.nanoseconds)
        let ended = handlers.end < 0 ? end.nanoseconds : min(handlers.end, end.nanoseconds)
        inputs.append(
          Input(
            interaction: Int64(inputs.count + 1), at: at, handlers: begin...max(begin, ended),
            paint: isOpen ? end.nanoseconds : paint, isOpen: isOpen))
      }
    }
    self.init(inputs)
  }
}
