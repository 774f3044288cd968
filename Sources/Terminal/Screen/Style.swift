/// How a cell looks: what it means, and emphasis. The terminal decides which colour a meaning has.
public struct Style: Hashable, Sendable {
  public var ink: Ink
  public var isBold: Bool
  public var isReversed: Bool

  public init(_ ink: Ink = .plain, bold: Bool = false, reversed: Bool = false) {
    self.ink = ink
    isBold = bold
    isReversed = reversed
  }

  public static let plain = Style()
  public static let quiet = Style(.quiet)
  public static let title = Style(bold: true)
}

/// What the colour of a cell means.
public enum Ink: UInt8, CaseIterable, Sendable {
  case plain, quiet, mark
  /// A frame shown in time; a thread at work; a number to be glad of.
  case good
  case fair, poor
  // What a frame spent its time on.
  case wakeup, lock, logic, drain, post, reads, render, preempted, machine, compositor, stuffed
}
