internal import FrameBudget

// What keys do: they change what is shown, and some of them ask whatever feeds the view for something.

extension LiveModel {
  /// Takes a key and returns what is to be done beyond the view itself.
  public mutating func handle(_ key: Key) -> Command? {
    notice = nil
    if key == .resumed { return resume() }
    switch overlay {
    case .help: return handleInHelp(key)
    case .strategies(let cursor, let ticked): return handleInList(key, cursor, ticked)
    case nil: return handleInView(key)
    }
  }

  /// A stopped process measures nothing: its real run is begun anew.
  private func resume() -> Command? { engine == .real ? restart : nil }

  private var restart: Command? { engine.map { .start(chosen, refresh, $0) } }

  private mutating func handleInHelp(_ key: Key) -> Command? {
    switch key {
    case .character("q"): return .quit
    case .tab: page += 1
    case .resized: break
    case .pageDown, .wheelDown: page += 1
    case .pageUp, .wheelUp: page = max(0, page - 1)
    default: overlay = nil
    }
    return nil
  }

  private mutating func handleInView(_ key: Key) -> Command? {
    if handleLooking(key) { return nil }
    switch key {
    case .character("q"): return .quit
    case .character("?"), .character("h"): overlay = .help
    case .tab: page += 1
    case .up where isSideBySide: selected = max(0, selected - 1)
    case .down where isSideBySide: selected = min(panes.count - 1, selected + 1)
    case .character("z") where isSideBySide: zoom = zoom < Self.most ? 2 * zoom : 1
    case .character("m"): togglePointer()
    case .character("w"): return .save
    case .character(" "): togglePause()
    case .character("."), .character("n"): return step()
    case .character("<"), .character("["), .left: changeSpeed(to: Self.speeds.last { $0 < speed })
    case .character(">"), .character("]"), .right: changeSpeed(to: Self.speeds.first { $0 > speed })
    case .character("r"): return engine == nil ? .start([], refresh, .virtual) : restart
    default: return handleForEngine(key)
    }
    return nil
  }

  /// Keys that change what runs: a recorded run has run already.
  private mutating func handleForEngine(_ key: Key) -> Command? {
    guard case .character(let character) = key, let engine else {
      return unknown(key)
    }
    switch character {
    case "s": overlay = .strategies(cursor: chosen.first ?? 0, ticked: [])
    case "a": return add()
    case "+", "=": batch = Self.batches.first { $0 > batch } ?? batch
    case "-": batch = Self.batches.last { $0 < batch } ?? batch
    case "c": return toggleSideBySide(engine)
    case "f": return .start(chosen, nextRefresh, engine)
    case "e": return otherEngine()
    case "d": return .advise
    case "1"..."9": return start(Int(character.value - 0x31))
    default: return unknown(key)
    }
    return nil
  }

  private mutating func unknown(_ key: Key) -> Command? {
    guard case .character(let character) = key, character.value >= 0x20 else { return nil }
    notice =
      engine == nil && "sacdf+-=e123456789".unicodeScalars.contains(character)
      ? "a recorded run cannot be changed" : "'\(character)' is no key here; ? shows those that are"
    return nil
  }

  private mutating func add() -> Command? {
    mark("+\(batch)")
    return .add(batch)
  }

  /// Runs a strategy of the list, in place of the selected one where several are side by side.
  mutating func start(_ choice: Int) -> Command? {
    guard session.strategies.indices.contains(choice), let engine else {
      notice = "there are \(session.strategies.count) strategies"
      return nil
    }
    guard isSideBySide else { return .start([choice], refresh, engine) }
    var chosen = chosen
    // One that is there already changes places.
    if let place = chosen.firstIndex(of: choice) { chosen[place] = chosen[selected] }
    chosen[selected] = choice
    return .start(chosen, refresh, engine)
  }

  // MARK: Side by side

  /// The most vsyncs that a column has: then the narrowest screen shows ten seconds.
  private static let most = 16

  /// Puts what runs beside what ran before it, both from the start; or lets the selected one go on alone.
  private mutating func toggleSideBySide(_ engine: EngineKind) -> Command? {
    if isSideBySide { return .start([chosen[selected]], refresh, engineAlone ?? engine) }
    let count = session.strategies.count
    guard count > 1, session.engines.contains(.virtual), let now = chosen.first else {
      notice = "there is nothing to put beside it"
      return nil
    }
    if engine == .real { notice = "side by side they run on the virtual engine" }
    engineAlone = engine
    return .start(before.map { [$0, now] } ?? [now, (now + 1) % count], refresh, .virtual)
  }

  private mutating func togglePointer() {
    switch pointer {
    case .absent: notice = "this terminal tells of no mouse"
    case .taken:
      pointer = .left
      notice = "the mouse selects text; m takes it back"
    case .left:
      pointer = .taken
      notice = "the mouse selects strategies and frames; m leaves it to the terminal"
    }
  }

  private mutating func otherEngine() -> Command? {
    guard let other = session.engines.first(where: { $0 != engine }) else {
      notice = "there is no other engine"
      return nil
    }
    isPaused = false
    return .start(other == .real ? Array(chosen[selected...].prefix(1)) : chosen, refresh, other)
  }

  // MARK: Time

  private mutating func togglePause() {
    guard ownsTime else {
      notice = "real time cannot be stopped; e switches to the virtual engine"
      return
    }
    isPaused.toggle()
    mark(isPaused ? "pause" : "go on")
  }

  private mutating func step() -> Command? {
    guard ownsTime else {
      notice = "real time has no single steps; e switches to the virtual engine"
      return nil
    }
    if !isPaused { mark("pause") }
    isPaused = true
    return .step
  }

  private mutating func changeSpeed(to new: Double?) {
    guard ownsTime else {
      notice = "real time has its own speed; e switches to the virtual engine"
      return
    }
    guard let new else { return }
    speed = new
    mark("\(Decimal.text(speed, places: 2))x")
  }

  private static let speeds = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20]

  // MARK: Sizes

  private var nextRefresh: RefreshRate {
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

  /// Moves the cursor to a row that was clicked on; where it is already, runs that.
  mutating func list(_ place: Int) -> Command? {
    guard case .strategies(let cursor, let ticked) = overlay else { return nil }
    if cursor == place { return startFromList(cursor, ticked) }
    overlay = .strategies(cursor: place, ticked: ticked)
    return nil
  }

  mutating func tick(_ place: Int) -> Command? {
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
