internal import CFrameBudgetNcurses
internal import Glibc

/// The terminal: the only code that calls ncurses. It belongs to the thread that opened it.
public struct CursesTerminal: ~Copyable {
  private let palette: TerminalPalette
  private let usesASCII: Bool
  private(set) var shown: Screen?
  private var takesMouse = false

  /// Takes over the terminal. Standard error is held back until the terminal is closed.
  public init(asciiOnly: Bool = false, isColored: Bool = true) throws(TerminalProblem) {
    let problem = cncurses_open()
    guard problem == 0 else { throw Self.problem(problem) }
    usesASCII = asciiOnly || cncurses_is_unicode() == 0
    palette = TerminalPalette(colors: isColored ? Int(cncurses_colors()) : 0)
    hasMouse = cncurses_has_mouse() != 0
    for role in ColorRole.allCases {
      if let color = palette.color(of: role) { cncurses_define_ink(Int32(role.number), color) }
    }
  }

  /// Restores the terminal.
  deinit { cncurses_close() }

  /// Whether it reports a mouse.
  public let hasMouse: Bool

  /// Receives clicks and the wheel as keys, or leaves them to the terminal, which selects text.
  public mutating func takeMouse(_ wanted: Bool) {
    guard wanted != takesMouse else { return }
    takesMouse = wanted
    cncurses_use_mouse(wanted ? 1 : 0)
  }

  public var columns: Int { Int(cncurses_columns()) }
  public var rows: Int { Int(cncurses_rows()) }

  /// Shows `screen`; writes only changes.
  public mutating func show(_ screen: Screen) {
    if shown.map({ $0.columns != screen.columns || $0.rows != screen.rows }) ?? true {
      cncurses_clear()
      shown = Screen(columns: screen.columns, rows: screen.rows)
    }
    for row in 0..<screen.rows { showRow(row, of: screen) }
    cncurses_flush()
    shown = screen
  }

  /// Waits for a key until the timeout.
  public mutating func key(within milliseconds: Int) -> Key? {
    let code = cncurses_key(Int32(clamping: milliseconds))
    if code == Int32(CNCURSES_RESUMED) { redraw() }
    return code == Int32(CNCURSES_NONE) ? nil : Self.key(code)
  }

  /// Redraws everything, after another program has written to the terminal.
  public mutating func redraw() {
    shown = nil
    cncurses_redraw()
  }

  private func showRow(_ row: Int, of screen: Screen) {
    var column = 0
    while column < screen.columns {
      let style = screen[column, row].style
      var run: [UInt32] = []
      while column + run.count < screen.columns, differs(column + run.count, row, of: screen),
        screen[column + run.count, row].style == style
      {
        run.append(shape(screen[column + run.count, row].character).value)
      }
      put(run, column, row, style)
      column += max(1, run.count)
    }
  }

  private func differs(_ column: Int, _ row: Int, of screen: Screen) -> Bool {
    shown?[column, row] != screen[column, row]
  }

  private func shape(_ character: Unicode.Scalar) -> Unicode.Scalar {
    usesASCII ? Glyphs.ascii(character) : character
  }

  private func put(_ run: [UInt32], _ column: Int, _ row: Int, _ style: Style) {
    guard !run.isEmpty else { return }
    let hasColor = palette.color(of: style.role) != nil
    let look =
      (style.isBold ? 1 : 0) | (style.isReversed ? 2 : 0) | (palette.isDim(style.role) ? 4 : 0)
    unsafe run.withUnsafeBufferPointer { characters in
      unsafe cncurses_put(
        Int32(row), Int32(column), characters.baseAddress, Int32(characters.count),
        hasColor ? Int32(style.role.number) : 0, Int32(look))
    }
  }

  private static func problem(_ code: Int32) -> TerminalProblem {
    let name = unsafe getenv("TERM").map { unsafe String(cString: $0) } ?? ""
    switch code {
    case 1: return .noTerminal
    case 2: return .unknownTerminal(name)
    case 3: return .incapableTerminal(name)
    default: return .failed
    }
  }

  private static func key(_ code: Int32) -> Key {
    switch code {
    case Int32(CNCURSES_UP): .up
    case Int32(CNCURSES_DOWN): .down
    case Int32(CNCURSES_LEFT): .left
    case Int32(CNCURSES_RIGHT): .right
    case Int32(CNCURSES_ENTER): .enter
    case Int32(CNCURSES_RESIZED): .resized
    case Int32(CNCURSES_RESUMED): .resumed
    case Int32(CNCURSES_HUNG_UP): .hungUp
    case Int32(CNCURSES_PAGE_UP): .pageUp
    case Int32(CNCURSES_PAGE_DOWN): .pageDown
    case Int32(CNCURSES_WHEEL_UP): .wheelUp
    case Int32(CNCURSES_WHEEL_DOWN): .wheelDown
    case Int32(CNCURSES_CLICK):
      .click(column: Int(cncurses_pointer_column()), row: Int(cncurses_pointer_row()))
    case 9: .tab
    case 27: .escape
    case 8, 127: .backspace
    default: Unicode.Scalar(UInt32(bitPattern: code)).map(Key.character) ?? .other
    }
  }
}

extension CursesTerminal {
  /// Shows `model`, which `source` updates, until the user quits, the terminal is gone or `isRunning` returns false.
  public mutating func watch(
    _ model: inout LiveModel, fedBy source: inout some LiveSource, while isRunning: () -> Bool
  ) {
    let clock = ContinuousClock()
    while isRunning() {
      let shown = clock.now
      source.update(&model)
      takeMouse(model.pointer == .taken)
      show(LiveView(model).screen(columns: columns, rows: rows))
      guard takeKeys(&model, &source, until: shown + Self.interval) else { return }
    }
  }

  /// Thirty pictures a second: more would not be noticed, and would disturb the run.
  private static let interval = Duration.microseconds(33_334)

  /// Handles keys until the next picture is due; false if the user quits.
  private mutating func takeKeys(
    _ model: inout LiveModel, _ source: inout some LiveSource, until due: ContinuousClock.Instant
  ) -> Bool {
    let clock = ContinuousClock()
    while true {
      let left = (due - clock.now) / .milliseconds(1)
      guard let key = key(within: max(0, Int(left.rounded(.up)))) else {
        if clock.now >= due { return true }
        continue
      }
      if key == .hungUp { return false }
      if key == .character("\u{c}") { redraw() }
      guard let command = answer(key, on: &model) else { continue }
      if command == .quit { return false }
      source.perform(command, on: &model)
    }
  }

  /// A click hits what the newest picture shows.
  private func answer(_ key: Key, on model: inout LiveModel) -> Command? {
    guard case .click(let column, let row) = key else { return model.handle(key) }
    return shown?.target(column, row).flatMap { model.handleClick(on: $0) }
  }
}

/// The source of the view: an engine, or a recorded run.
public protocol LiveSource {
  /// Performs a command.
  mutating func perform(_ command: Command, on model: inout LiveModel)
  /// Updates the model to the current time.
  mutating func update(_ model: inout LiveModel)
  /// Ends what it has started, such as threads.
  mutating func stop()
}

extension LiveSource {
  /// By default it has started nothing.
  public func stop() {}
}

/// Why the view cannot be shown.
public enum TerminalProblem: Error, Hashable, Sendable, CustomStringConvertible {
  case noTerminal
  case unknownTerminal(String)
  case incapableTerminal(String)
  case failed

  public var description: String {
    switch self {
    case .noTerminal: "standard input and output are not both a terminal"
    case .unknownTerminal(let name): "TERM='\(name)' is not a terminal that this machine knows"
    case .incapableTerminal(let name): "TERM='\(name)' cannot move its cursor"
    case .failed: "the terminal could not be set up"
    }
  }
}
