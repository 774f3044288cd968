/// Slices in which a platform calls an app's code.
package enum AppCalls {
  /// Their names in Chrome, from DevTools' `models/trace/types/TraceEvents.ts`, and in Firefox. The work in them is the app's,
  /// and the names that the app gives it are more specific.
  package static let names: Set = [
    function, "EvaluateScript", "EventDispatch", "TimerFire", animationFrame,
    "FireIdleCallback", "RunMicrotasks", "XHRReadyStateChange", "XHRLoad",
    "requestAnimationFrame callbacks", "DOMEvent", "setTimeout handler", "setInterval handler",
  ]

  /// The name of a call of a function that is not called by the function's own name and file.
  package static let function = "FunctionCall"

  /// A callback of `requestAnimationFrame`; the call in it has the function's name.
  package static let animationFrame = "FireAnimationFrame"

  /// The name of what runs after an `await`, and of promises' callbacks, if a task is followed by them.
  private static let microtasks = "BlinkScheduler_PerformMicrotaskCheckpoint"

  /// Whether it has the name of calls, and not that of the called function.
  static func isUnnamed(_ name: String) -> Bool {
    (names.contains(name) && name != animationFrame) || name == microtasks
  }

  /// Whether a slice has one of these names, or that of the called function and its file.
  package static func contains(_ name: String) -> Bool {
    names.contains(name) || isNamedCall(name)
  }

  /// The name of an event with all its listeners, by its type.
  package static func dispatch(of type: String) -> String {
    "\(dispatches) (\(type.prefix(60)))"
  }

  private static let dispatches = "EventDispatch"

  /// The types of a key press, a click or a touch. A `keyup` seldom requests a frame, and without that nothing waits behind it.
  static let inputs: Set = [
    "keydown", "keypress", "mousedown", "mouseup", "click", "pointerdown", "pointerup",
    "touchstart", "touchend",
  ]

  /// The type of the event whose listeners run in a slice with the name; nil if there is none.
  package static func event(in name: String) -> String? {
    if name == "HandlePostMessage" { return "message" }
    guard name.hasPrefix("\(dispatches) ("), name.hasSuffix(")") else { return nil }
    return String(name.dropFirst(dispatches.count + 2).dropLast())
  }

  /// Whether it is the name of an event, which may have no listeners.
  package static func isDispatch(_ name: String) -> Bool { withoutEvent(name) == dispatches }

  /// The name without the type of an event.
  package static func withoutEvent(_ name: String) -> String {
    name.hasPrefix("\(dispatches) (") ? dispatches : name
  }

  /// The file of the called function; nil if the name has none.
  package static func file(in name: String) -> String? {
    guard isNamedCall(name), event(in: name) == nil, let place = name.ranges(of: " (").last
    else { return nil }
    let inner = name[place.upperBound...].dropLast()
    let line = inner.lastIndex(of: ":").map { inner[$0...].dropFirst() } ?? ""
    let hasLine = !line.isEmpty && line.allSatisfy(\.isNumber)
    return String(hasLine ? inner.dropLast(line.count + 1) : inner)
  }

  /// Whether it is the name of a called function and its file: `render (list.js:12)`.
  package static func isNamedCall(_ name: String) -> Bool {
    name.hasSuffix(")") && name.contains(" (")
  }
}
