internal import ArgumentParser
internal import FrameBudget
internal import RealTime

/// How the real engine has its threads run.
struct EngineOptions: ParsableArguments {
  @Flag(help: "Run the frame loop at a real-time priority (real engine).")
  var realtime = false

  @Flag(
    help: "Keep the frame loop on one processor, all other threads on the others (real engine).")
  var pin = false

  /// Refuses what is for the real engine where that does not run.
  func check(on engine: EngineChoice) throws {
    if engine == .virtual && (realtime || pin) {
      throw ValidationError("--realtime and --pin are for the real engine; leave them out")
    }
  }

  func real(_ detail: FrameLedger.Detail = .summary) -> RealEngine.Options {
    var options = RealEngine.Options()
    options.isRealtime = realtime
    options.pinsThreads = pin
    options.detail = detail
    return options
  }
}
