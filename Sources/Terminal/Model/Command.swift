public import FrameBudget

/// What somebody wants of whatever feeds the view.
public enum Command: Hashable, Sendable {
  /// Stop what runs and run these strategies, by their places in the list, at this refresh rate.
  case start([Int], RefreshRate, EngineKind)
  /// Let so many items arrive now.
  case add(Int)
  /// Go on to the end of the next frame; time stands still otherwise.
  case step
  /// Look for the smallest change after which nothing hangs, and run that.
  case advise
  /// Write the frames of the run to a file.
  case save
  case quit
}
