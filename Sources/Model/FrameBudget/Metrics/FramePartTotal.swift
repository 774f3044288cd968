/// A part of drawing in all frames of a run or a recording.
public struct FramePartTotal: Hashable, Sendable {
  /// The name of the part.
  public let name: String
  /// Its time in all frames together.
  public private(set) var span = TimeSpan.zero
  /// The number of frames that have it.
  public private(set) var frames = 0
  /// The number of vsyncs that were dropped while such a frame was due.
  public private(set) var dropped = 0

  /// The parts of `frames`, each frame with the number of vsyncs that were dropped before it was shown. The part with the most
  /// time comes first.
  public static func all(
    in frames: some Sequence<(parts: [FramePartTime], dropped: Int)>
  ) -> [FramePartTotal] {
    var totals: [FramePartTotal] = []
    for (parts, dropped) in frames {
      for (number, part) in parts.enumerated() where part.span > .zero {
        let place = place(of: part.name, number, in: &totals)
        totals[place].span += part.span
        totals[place].frames += 1
        totals[place].dropped += dropped
      }
    }
    return totals.sorted { ($1.span, $0.name) < ($0.span, $1.name) }
  }

  /// The frames of a run have the same parts in the same order, so that `number` is mostly right.
  private static func place(
    of name: String, _ number: Int, in totals: inout [FramePartTotal]
  ) -> Int {
    if number < totals.count, totals[number].name == name { return number }
    if let place = totals.firstIndex(where: { $0.name == name }) { return place }
    totals.append(FramePartTotal(name: name))
    return totals.count - 1
  }
}
