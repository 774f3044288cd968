extension NamedArrangement {
  /// Reactive streams: several threads, and on them each workload's items one at a time.
  static let observeOn = NamedArrangement(
    "observe-on",
    "several threads, each workload's items in order and one at a time, services under locks",
    options: [.width, .drain, .lock, .resultsBudget]
  ) { scenario, options in
    .onPool(
      Lane(
        name: "workers", carrier: .ordered, width: options.count(.width), options: options),
      scenario, lock: .barging, budget: options.timeSpan(.resultsBudget))
  }
}
