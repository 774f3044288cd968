/// INP of the inputs of a run or a page: the longest interaction, leaving out one for each 50, and its three parts.
///
/// The definition is that of Google's web-vitals library, version 5.3, over all inputs; version 6.0 has the same, except for
/// soft navigations.
public struct Interactions: Sendable {
  /// The number of interactions.
  public let count: Int
  /// The interaction that determines INP; nil without any.
  public let inp: Parts?

  /// An input in the form of Event Timing, in nanoseconds of one clock.
  public struct Input: Sendable {
    /// The id that the events of one click, tap or key press share; 0 for events outside of interactions.
    public let interaction: Int64
    /// When the user acted.
    public let at: Int64
    /// From the start of the first handler to the end of the last one.
    public let handlers: ClosedRange<Int64>
    /// When the next picture was shown; for an open input, the time of the last query.
    public let paint: Int64
    /// Whether no picture has followed its handlers.
    public let isOpen: Bool

    /// Does not check the values.
    public init(
      interaction: Int64, at: Int64, handlers: ClosedRange<Int64>, paint: Int64,
      isOpen: Bool = false
    ) {
      (self.interaction, self.at, self.handlers) = (interaction, at, handlers)
      (self.paint, self.isOpen) = (paint, isOpen)
    }

    /// Its duration as Event Timing reports it.
    fileprivate var duration: Int64 {
      (paint - at + Interactions.resolution / 2) / Interactions.resolution * Interactions.resolution
    }
  }

  /// The parts of an interaction's time.
  public struct Parts: Sendable {
    /// From the input to the next picture, in steps of 8 ms.
    public let duration: TimeSpan
    /// From the input to its own first handler.
    public let inputDelay: TimeSpan
    /// From there to the end of the last handler whose effects that picture shows.
    public let processing: TimeSpan
    /// From there to the picture.
    public let presentationDelay: TimeSpan
    /// Whether no picture had followed; then the times are those so far.
    public let isOpen: Bool
  }

  /// The resolution of durations in Event Timing, and the largest difference between the paints of one picture.
  private static let resolution: Int64 = 8_000_000
  /// One per this number of interactions is left out, but at most `candidates - 1`.
  private static let interactionsPerOutlier = 50
  private static let candidates = 10

  /// Computes the interactions from inputs in any order.
  public init(_ inputs: [Input]) {
    var slowest: [Int64: Input] = [:]
    for input in inputs where input.interaction > 0 {
      if Self.isSlower(input, than: slowest[input.interaction]) {
        slowest[input.interaction] = input
      }
    }
    count = slowest.count
    let order = slowest.values.sorted { Self.rank($0) < Self.rank($1) }
    let index = min(count / Self.interactionsPerOutlier, Self.candidates - 1, order.count - 1)
    inp = order.indices.contains(index) ? Self.parts(of: order[index], among: inputs) : nil
  }

  /// The slowest first; among equal ones the earlier.
  private static func rank(_ input: Input) -> (Int64, Int64, Int64) {
    (-input.duration, input.at, input.interaction)
  }

  /// Among equal ones the first counts.
  private static func isSlower(_ input: Input, than known: Input?) -> Bool {
    guard let known else { return true }
    return (input.duration, -input.at) > (known.duration, -known.at)
  }

  /// The time between the input and the paint: the delay until its own handlers begin, then all handlers whose effects the same
  /// picture showed.
  private static func parts(of input: Input, among inputs: [Input]) -> Parts {
    let frame =
      input.isOpen
      ? [input]
      : inputs.filter {
        !$0.isOpen && ($0.paint - input.paint).magnitude <= resolution.magnitude
      }
    let last = frame.map(\.handlers.upperBound).max() ?? input.at
    let start = max(input.handlers.lowerBound, input.at)
    let paint = max(input.at + input.duration, start)
    let end = max(start, min(last, paint))
    return Parts(
      duration: .nanoseconds(input.duration), inputDelay: .nanoseconds(start - input.at),
      processing: .nanoseconds(end - start), presentationDelay: .nanoseconds(paint - end),
      isOpen: input.isOpen)
  }
}

extension Interactions {
  /// The interactions of workloads whose items are inputs, in a run that ended at `end` and showed nothing after `lastVsync`.
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
