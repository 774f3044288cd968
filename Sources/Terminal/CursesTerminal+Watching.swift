extension CursesTerminal {
  /// Shows `model`, which `source` feeds, until somebody quits, the terminal is gone or `goesOn` says no.
  public mutating func watch(
    _ model: inout LiveModel, fedBy source: inout some LiveSource, while goesOn: () -> Bool
  ) {
    let clock = ContinuousClock()
    while goesOn() {
      let shown = clock.now
      source.update(&model)
      takeMouse(model.pointer == .taken)
      show(LiveView(model).screen(columns: columns, rows: rows))
      guard takeKeys(&model, &source, until: shown + Self.interval) else { return }
    }
  }

  /// Thirty pictures a second: more cannot be told apart, and would disturb what is watched.
  private static let interval = Duration.microseconds(33_334)

  /// Takes keys until the next picture is due; false once somebody quits.
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

  /// A click is on what the newest picture shows there.
  private func answer(_ key: Key, on model: inout LiveModel) -> Command? {
    guard case .click(let column, let row) = key else { return model.handle(key) }
    return shown?.target(column, row).flatMap { model.point(at: $0) }
  }
}
