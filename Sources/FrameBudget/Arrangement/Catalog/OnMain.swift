// Arrangements that keep everything on the main thread and differ in what they admit, and at what cost.

extension NamedArrangement {
  static let mainThread = NamedArrangement(
    "main-thread", "everything on the main thread, in the frame in which it arrives"
  ) { scenario, _ in .onMain(scenario) }

  static let throttled = NamedArrangement(
    "throttled", "main thread, at most a batch of background items per interval",
    options: ["batch=1000", "interval=5 s"]
  ) { scenario, options throws(StrategyError) in
    var arrangement = Arrangement.onMain(scenario)
    arrangement.admission = .batch(
      try options.count("batch", default: 1000),
      every: try options.timeSpan("interval", default: .seconds(5)))
    return arrangement
  }

  static let optimised = NamedArrangement(
    "optimised", "main thread, every step so many times cheaper", options: ["speedup=4"]
  ) { scenario, options throws(StrategyError) in
    var arrangement = Arrangement.onMain(scenario)
    arrangement.speedup = try options.factor("speedup", default: 4)
    return arrangement
  }

  static let timeSliced = NamedArrangement(
    "time-sliced", "main thread, in each frame only what fits beside reads and drawing",
    options: ["estimate=learned", "unit=item", "look-ahead=on"]
  ) { scenario, options throws(StrategyError) in
    var arrangement = Arrangement.onMain(scenario)
    arrangement.admission = .fitting(
      Admission.Fitting(
        estimate: try options.choice("estimate", default: .learned),
        unit: try options.choice("unit", default: .item),
        lookAhead: try options.flag("look-ahead", default: true)))
    return arrangement
  }
}
