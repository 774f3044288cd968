// Arrangements that keep everything on the main thread, with different rules of admission and different costs.

extension StrategyOption {
  static let batch = StrategyOption(
    "batch", default: 1000, in: 1...1_000_000, "number of background items that start at a time")

  static let interval = StrategyOption(
    "interval", default: .seconds(5), canBeZero: true, "time from a batch to the next one")

  static let speedup = StrategyOption(
    "speedup", default: 4, in: Arrangement.speedups, "factor by which every step is cheaper")

  private static let fitting = Admission.Fitting()

  static let estimate = StrategyOption(
    "estimate", default: fitting.estimate,
    "the expected duration of work: learned from earlier similar work, or exact")

  static let every = StrategyOption(
    "every", default: "\(Yielding.Grain.step)", orDurationSuchAs: .milliseconds(5),
    "part of a task that runs before the rest yields: a step, or all steps that begin within a duration"
  )

  static let resumes = StrategyOption(
    "resumes", default: Yielding.Resumption.inTurn,
    "work that runs before the rest of a task: a frame and all waiting items, or nothing")

  private static let noRule = "off"

  static let debounce = StrategyOption(
    "debounce", default: noRule, orDurationSuchAs: .milliseconds(300),
    "time for which no newer item may come before the newest starts")

  static let throttle = StrategyOption(
    "throttle", default: noRule, orDurationSuchAs: .milliseconds(100),
    "time in which at most one item starts: the first at once, the newest at the end")

  static let unit = StrategyOption(
    "unit", default: fitting.unit,
    "unit that must fit into the frame: a whole item, or its next step")

  static let lookAhead = StrategyOption(
    "look-ahead", default: fitting.lookAhead,
    "whether work starts only if it is expected to end in time, or while any time is left")
}

extension NamedArrangement {
  static let mainThread = NamedArrangement(
    "main-thread", "everything on the main thread, in the frame in which it arrives"
  ) { scenario, _ in .onMain(scenario) }

  static let throttled = NamedArrangement(
    "throttled", "main thread, at most a batch of background items per interval",
    options: [.batch, .interval]
  ) { scenario, options in
    var arrangement = Arrangement.onMain(scenario)
    arrangement.admission = .batch(options.count(.batch), every: options.timeSpan(.interval))
    return arrangement
  }

  static let optimised = NamedArrangement(
    "optimised", "main thread, every step several times cheaper", options: [.speedup]
  ) { scenario, options in
    var arrangement = Arrangement.onMain(scenario)
    arrangement.speedup = options.factor(.speedup)
    return arrangement
  }

  static let timeSliced = NamedArrangement(
    "time-sliced", "main thread, in each frame only items that fit beside reads and drawing",
    options: [.estimate, .unit, .lookAhead]
  ) { scenario, options in
    var arrangement = Arrangement.onMain(scenario)
    arrangement.admission = .fitting(
      Admission.Fitting(
        estimate: options.choice(.estimate), unit: options.choice(.unit),
        lookAhead: options.flag(.lookAhead)))
    return arrangement
  }

  static let yielding = NamedArrangement(
    "yielding", "main thread; a task yields after each step, to frames and waiting items",
    options: [.every, .resumes], needsEventLoop: true
  ) { scenario, options in
    var arrangement = Arrangement.onMain(scenario)
    arrangement.yielding = Yielding(options.grain(.every), resumes: options.choice(.resumes))
    return arrangement
  }

  static let newest = NamedArrangement(
    "newest", "main thread, items of which only the newest matters end when a newer one comes",
    options: [.debounce, .throttle], needsNewest: true
  ) { scenario, options throws(StrategyError) in
    var arrangement = Arrangement.onMain(scenario)
    let (debounce, throttle) = (options.span(.debounce), options.span(.throttle))
    if debounce != nil, throttle != nil {
      throw StrategyError("'debounce' and 'throttle' exclude each other", option: "throttle")
    }
    arrangement.newest =
      debounce.map(NewestRule.debounce) ?? throttle.map(NewestRule.throttle) ?? .latest
    return arrangement
  }
}
