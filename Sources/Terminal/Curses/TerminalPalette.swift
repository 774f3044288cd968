/// What each ink looks like, by how many colours a terminal has. Harm is red, and nothing else is.
struct TerminalPalette: Sendable {
  private let colors: Int

  init(colors: Int) { self.colors = colors }

  /// The terminal's number for the colour of `ink`; nil where that is the terminal's own.
  func color(of ink: Ink) -> Int32? {
    if colors >= 256 { return Self.rich(ink) }
    return colors >= 8 ? Self.basic(ink) : nil
  }

  /// Whether `ink` is shown dimmed: where its colour cannot be.
  func isDim(_ ink: Ink) -> Bool { ink == .quiet && colors < 256 }

  private static func rich(_ ink: Ink) -> Int32? {
    switch ink {
    case .plain: nil
    case .quiet: 245
    case .mark: 81
    case .good: 71
    case .fair: 179
    case .poor: 203
    case .wakeup: 250
    case .lock: 170
    case .logic: 208
    case .drain: 116
    case .post: 80
    case .reads: 75
    case .render: 71
    case .preempted: 141
    case .machine: 137
    case .compositor: 108
    case .stuffed: 246
    }
  }

  private static func basic(_ ink: Ink) -> Int32? {
    switch ink {
    case .plain, .quiet: nil
    case .mark, .post, .drain: 6
    case .good, .render, .compositor: 2
    case .fair, .logic: 3
    case .poor: 1
    case .wakeup, .preempted, .machine, .stuffed: 7
    case .lock: 5
    case .reads: 4
    }
  }
}
