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
    default: overlay = nil
    }
    return nil
  }

  private mutating func handleInView(_ key: Key) -> Command? {
    switch key {
    case .character("q"): return .quit
    case .character("?"), .character("h"): overlay = .help
    case .tab: page += 1
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
    case "f": return .start(chosen, nextRefresh, engine)
    case "e": return otherEngine()
    case "1"..."9": return start(Int(character.value - 0x31))
    default: return unknown(key)
    }
    return nil
  }

  private mutating func unknown(_ key: Key) -> Command? {
    guard case .character(let character) = key, character.value >= 0x20 else { return nil }
    notice =
      engine == nil && "saf+-=e123456789".unicodeScalars.contains(character)
      ? "a recorded run cannot be changed" : "'\(character)' is no key here; ? shows those that are"
    return nil
  }

  private mutating func add() -> Command? {
    mark("+\(batch)")
    return .add(batch)
  }

  private mutating func start(_ choice: Int) -> Command? {
    guard session.strategies.indices.contains(choice), let engine else {
      notice = "there are \(session.strategies.count) strategies"
      return nil
    }
    return .start([choice], refresh, engine)
  }

  private mutating func otherEngine() -> Command? {
    guard let other = session.engines.first(where: { $0 != engine }) else {
      notice = "there is no other engine"
      return nil
    }
    isPaused = false
    return .start(other == .real ? Array(chosen.prefix(1)) : chosen, refresh, other)
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
    case .up, .character("k"): overlay = .strategies(cursor: max(0, cursor - 1), ticked: ticked)
    case .down, .character("j"):
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

  private mutating func toggled(_ choice: Int, in ticked: [Int]) -> [Int] {
    if ticked.contains(choice) { return ticked.filter { $0 != choice } }
    if ticked.count == 4 {
      notice = "at most four side by side"
      return ticked
    }
    return ticked + [choice]
  }

  private mutating func startFromList(_ cursor: Int, _ ticked: [Int]) -> Command? {
    guard let engine else { return nil }
    overlay = nil
    guard ticked.count > 1 else { return .start([ticked.first ?? cursor], refresh, engine) }
    return .start(ticked, refresh, .virtual)
  }
}
