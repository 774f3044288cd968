internal import FrameBudget

// Looking back: by keys, by the wheel, and by clicks on what is shown.

extension LiveModel {
  /// Does what a click on `target` asks for.
  public mutating func point(at target: Target) -> Command? {
    notice = nil
    switch target {
    case .strategy(let place):
      overlay = nil
      return start(place)
    case .listed(let place): return list(place)
    case .tick(let place): return tick(place)
    case .pane(let place): selected = place
    case .vsync(let back): inspect(look?.inspected == back ? nil : back)
    }
    return nil
  }

  /// Takes a key that moves through time; false if it is none.
  mutating func handleLooking(_ key: Key) -> Bool {
    switch key {
    case .wheelUp: lookBack(by: wheel)
    case .wheelDown: lookBack(by: -wheel)
    case .pageUp: lookBack(by: second)
    case .pageDown: lookBack(by: -second)
    case .character("i"): inspect(look?.inspected == nil ? (look?.back ?? 0) + 1 : nil)
    case .escape: look = nil
    default: return moveInspection(key)
    }
    return true
  }

  /// Vsyncs that a column, a turn of the wheel, and a page are worth.
  private var step: Int { isSideBySide ? zoom : 1 }
  private var wheel: Int { max(1, second / 4) }
  private var second: Int { Int(refresh.hertz.rounded(.up)) * step }

  /// How far back there is something to look at.
  private var furthest: Int {
    max(0, (panes.map { isSideBySide ? $0.run.expected : $0.shownVsyncs }.max() ?? 0) - 1)
  }

  private mutating func lookBack(by vsyncs: Int) {
    let back = min(max(0, (look?.back ?? 0) + vsyncs), furthest)
    look = back == 0 ? nil : LookBack(back: back)
  }

  private mutating func inspect(_ vsync: Int?) {
    guard let vsync else {
      look?.inspected = nil
      if look?.back == 0 { look = nil }
      return
    }
    look = LookBack(back: look?.back ?? 0, inspected: min(vsync, furthest))
  }

  private mutating func moveInspection(_ key: Key) -> Bool {
    guard let inspected = look?.inspected else { return false }
    switch key {
    case .left: inspect(inspected + step)
    case .right: inspect(max(0, inspected - step))
    default: return false
    }
    return true
  }
}
