/// Slices in which a platform calls an app's code.
package enum AppCalls {
  /// Their names in Chrome, from DevTools' `models/trace/types/TraceEvents.ts`. The work in them is the app's, and the names
  /// that the app gives it are more specific.
  package static let names: Set = [
    function, "EvaluateScript", "EventDispatch", "TimerFire", "FireAnimationFrame",
    "FireIdleCallback", "RunMicrotasks", "XHRReadyStateChange", "XHRLoad",
  ]

  /// The name of a call of a function that is not called by the function's own name and file.
  package static let function = "FunctionCall"

  /// Whether a slice has one of these names, or that of the called function and its file.
  package static func contains(_ name: String) -> Bool {
    names.contains(name) || isNamedCall(name)
  }

  /// Whether it is the name of a called function and its file: `render (list.js:12)`.
  package static func isNamedCall(_ name: String) -> Bool {
    name.hasSuffix(")") && name.contains(" (")
  }
}
