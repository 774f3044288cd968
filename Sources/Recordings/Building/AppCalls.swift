/// Slices in which a platform calls an app's code.
package enum AppCalls {
  /// Their names in Chrome, of DevTools' `models/trace/types/TraceEvents.ts`. What runs in them is the app's, and its name
  /// for that says more.
  package static let names: Set = [
    "FunctionCall", "EvaluateScript", "EventDispatch", "TimerFire", "FireAnimationFrame",
    "FireIdleCallback", "RunMicrotasks", "XHRReadyStateChange", "XHRLoad",
  ]
}
