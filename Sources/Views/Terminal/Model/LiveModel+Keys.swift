internal import FrameBudget

// The actions of keys. They change the view; some return a command for its source.

extension LiveModel {
  /// Handles a key; returns a command for the source of the view.
  public mutating func handle(_ key: Key) -> Command? {
    notice = nil
    if key == .resumed { return resume() }
    switch overlay {
    case .help: return handleInHelp(key)
    case .strategies(let cursor, let ticked): return handleInList(key, cursor, ticked)
    case nil: return handleInView(key)
    }
  }

  /// A stopped process measures nothing, so a real run restarts.
  private func resume() -> Command? { engine == .real ? restart : nil }

  var restart: Command? { engine.map { .start(chosen, refresh, $0) } }

  private mutating func handleInHelp(_ key: Key) -> Command? {
    switch key {
    case .character("q"): return .quit
    case .tab: helpPage += 1
    case .resized: break
    case .pageDown, .wheelDown: helpPage += 1
    case .pageUp, .wheelUp: helpPage = max(0, helpPage - 1)
    default: overlay = nil
    }
    return nil
  }

  private mutating func handleInView(_ key: Key) -> Command? {
    let binding = KeyBinding.all.first { $0.keys.contains(key) && $0.applies(self) }
    guard let binding else { return unknown(key) }
    if binding.changesRun && engine == nil {
      refuse("a recorded run cannot be changed")
      return nil
    }
    return binding.act(&self, key)
  }

  /// Says why a key does nothing; an attached app has one reason for all of them.
  private mutating func refuse(_ reason: String) {
    notice = session.attached.map { "an attached \($0.rawValue) runs by itself" } ?? reason
  }

  private mutating func unknown(_ key: Key) -> Command? {
    guard case .character(let character) = key, character.value >= 0x20 else { return nil }
    notice = "'\(character)' is not a key; ? shows all keys"
    return nil
  }

  mutating func add() -> Command? {
    mark("+\(batch)")
    return .add(batch)
  }

  /// Runs a strategy of the list. It replaces the selected one if several run side by side.
  mutating func start(_ choice: Int) -> Command? {
    guard session.strategies.indices.contains(choice), let engine else {
      notice = "no strategy with that number; there are \(session.strategies.count)"
      return nil
    }
    guard isSideBySide else { return .start([choice], refresh, engine) }
    var chosen = chosen
    // If it runs already, the two change places.
    if let place = chosen.firstIndex(of: choice) { chosen[place] = chosen[selected] }
    chosen[selected] = choice
    return .start(chosen, refresh, engine)
  }

  // MARK: Side by side

  mutating func zoomOut() {
    guard isSideBySide else {
      notice = "one strategy has a column for each vsync; z zooms strategies side by side (c)"
      return
    }
    zoom = zoom < Self.most ? 2 * zoom : 1
  }

  /// The most vsyncs in a column: with these the narrowest screen shows ten seconds.
  private static let most = 16

  /// Runs the current strategy and another side by side, from the start; or the selected one alone.
  mutating func toggleSideBySide() -> Command? {
    guard let engine else { return nil }
    if isSideBySide { return .start([chosen[selected]], refresh, engineAlone ?? engine) }
    guard session.strategies.count > 1, session.engines.contains(.virtual), let now = chosen.first
    else {
      notice = "there is no previous strategy to compare with"
      return nil
    }
    if engine == .real { notice = "strategies side by side run on the virtual engine" }
    engineAlone = engine
    if previousStrategy == nil && recommended == nil { return .compare }
    return .start(comparison(of: now), refresh, .virtual)
  }

  /// The strategy at `now` and the one to compare it with: the previous one, otherwise the recommended one, otherwise the next.
  public func comparison(of now: Int) -> [Int] {
    if let previousStrategy { return [previousStrategy, now] }
    if let recommended, recommended != now { return [now, recommended] }
    return [now, (now + 1) % session.strategies.count]
  }

  mutating func togglePointer() {
    switch pointer {
    case .absent: notice = "this terminal reports no mouse"
    case .taken:
      pointer = .left
      notice = "the mouse selects text; m switches back"
    case .left:
      pointer = .taken
      notice = "the mouse selects strategies and frames; m switches to text"
    }
  }

  mutating func otherEngine() -> Command? {
    guard let other = session.engines.first(where: { $0 != engine }) else {
      notice = "there is no other engine"
      return nil
    }
    isPaused = false
    return .start(other == .real ? Array(chosen[selected...].prefix(1)) : chosen, refresh, other)
  }

  // MARK: Time

  mutating func togglePause() {
    guard canControlTime else {
      refuse("real time cannot be paused; e switches to the virtual engine")
      return
    }
    isPaused.toggle()
    mark(isPaused ? "pause" : "resume")
  }

  mutating func step() -> Command? {
    guard canControlTime else {
      refuse("real time has no single steps; e switches to the virtual engine")
      return nil
    }
    if !isPaused { mark("pause") }
    isPaused = true
    return .step
  }

  /// Changes to the next faster or slower of `speeds`.
  mutating func changeSpeed(faster: Bool) {
    guard canControlTime else {
      refuse("the speed of real time is fixed; e switches to the virtual engine")
      return
    }
    let next = faster ? Self.speeds.first { $0 > speed } : Self.speeds.last { $0 < speed }
    guard let next else { return }
    speed = next
    mark("\(Decimal.text(speed, places: 2))x")
  }

  private static let speeds = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20]

  // MARK: Sizes

  mutating func changeBatch(larger: Bool) {
    let next = larger ? Self.batches.first { $0 > batch } : Self.batches.last { $0 < batch }
    batch = next ?? batch
  }

  var nextRefresh: RefreshRate {
    let rates = [60, 90, 120].map { RefreshRate($0) }
    return rates.first { $0.hertz > refresh.hertz } ?? rates[0]
  }

  private static let batches: [Int] = [1, 10, 100, 1000, 10_000].flatMap {
    $0 == 10_000 ? [$0] : [$0, 2 * $0, 5 * $0]
  }

  // MARK: The list of strategies

  private mutating func handleInList(_ key: Key, _ cursor: Int, _ ticked: [Int]) -> Command? {
    let last = session.strategies.count - 1
    switch key {
    case .up, .wheelUp, .character("k"):
      overlay = .strategies(cursor: max(0, cursor - 1), ticked: ticked)
    case .down, .wheelDown, .character("j"):
      overlay = .strategies(cursor: min(last, cursor + 1), ticked: ticked)
    case .character(" "): overlay = .strategies(cursor: cursor, ticked: toggled(cursor, in: ticked))
    case .enter: return startFromList(cursor, ticked)
    case .character("q"): return .quit
    case .character("1"..."9"), .escape, .character("s"):
      overlay = nil
      if case .character(let digit) = key, digit != "s" { return start(Int(digit.value - 0x31)) }
    default: break
    }
    return nil
  }

  /// Moves the cursor to a row that was clicked; runs it if the cursor is already there.
  mutating func selectRow(_ place: Int) -> Command? {
    guard case .strategies(let cursor, let ticked) = overlay else { return nil }
    if cursor == place { return startFromList(cursor, ticked) }
    overlay = .strategies(cursor: place, ticked: ticked)
    return nil
  }

  mutating func toggleRow(_ place: Int) -> Command? {
    guard case .strategies(_, let ticked) = overlay else { return nil }
    overlay = .strategies(cursor: place, ticked: toggled(place, in: ticked))
    return nil
  }

  private mutating func toggled(_ choice: Int, in ticked: [Int]) -> [Int] {
    if ticked.contains(choice) { return ticked.filter { $0 != choice } }
    if ticked.count == 4 {
      notice = "at most four side by side"
      return ticked
    }
    return ticked + [choice]
  }

  private mutating func startFromList(_ cursor: Int, _ ticked: [Int]) -> Command? {
    overlay = nil
    guard ticked.count > 1 else { return start(ticked.first ?? cursor) }
    return .start(ticked, refresh, .virtual)
  }
}
