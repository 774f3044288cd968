/// Slices in which a platform calls an app's code.
package enum AppCalls {
  /// Their names in Chrome, from DevTools' `models/trace/types/TraceEvents.ts`. The work in them is the app's, and the names
  /// that the app gives it are more specific.
  package static let names: Set = [
    "FunctionCall", "EvaluateScript", "EventDispatch", "TimerFire", "FireAnimationFrame",
    "FireIdleCallback", "RunMicrotasks", "XHRReadyStateChange", "XHRLoad",
  ]

  /// Whether a slice has one of these names, or that of the called function and its file.
  package static func contains(_ name: String) -> Bool {
    names.contains(name) || name.hasSuffix(")") && name.contains(" (")
  }
}
