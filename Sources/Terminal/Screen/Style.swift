public import FrameBudget

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
public enum Ink: Hashable, CaseIterable, Sendable {
  case plain, quiet, mark
  /// A frame shown in time; a thread at work; a number to be glad of.
  case good
  case fair, poor
  /// What a frame spent its time on.
  case cause(Cause)

  public static let allCases: [Ink] =
    [.plain, .quiet, .mark, .good, .fair, .poor] + Cause.allCases.map(Ink.cause)

  /// The number of its colour pair in the terminal; 0 is the terminal's own.
  var number: Int {
    switch self {
    case .plain: 0
    case .quiet: 1
    case .mark: 2
    case .good: 3
    case .fair: 4
    case .poor: 5
    case .cause(let cause): 6 + Int(cause.rawValue)
    }
  }
}

/// The look of each ink, by the number of colours of a terminal. Only bad values and dropped frames are red.
struct TerminalPalette: Sendable {
  private let colors: Int

  init(colors: Int) { self.colors = colors }

  /// The terminal's number for the colour of `ink`; nil where that is the terminal's own.
  func color(of ink: Ink) -> Int32? {
    let color: (among256: Int32, among8: Int32?)? =
      switch ink {
      case .plain: nil
      case .quiet: (245, nil)
      case .mark: (81, 6)
      case .good: (71, 2)
      case .fair: (179, 3)
      case .poor: (203, 1)
      case .cause(let cause): cause.traits.color
      }
    return colors >= 256 ? color?.among256 : colors >= 8 ? color?.among8 : nil
  }

  /// Whether `ink` is shown dimmed: where its colour cannot be.
  func isDim(_ ink: Ink) -> Bool { ink == .quiet && colors < 256 }
}
