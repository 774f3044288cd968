internal import Dispatch
internal import FrameBudget
internal import OrderedDelivery

/// The cost of an event on the schedulers and through the stages of ordered delivery, compared with a serial dispatch queue.
///
/// From the first post to the end of the last event, per event, and as a ratio to the dispatch queue. The subjects are
/// interleaved, so that they meet the same machine.
enum DeliveryBenchmark {
  private static let (repetitions, events) = (11, 200_000)
  private static let producers = [1, 2, 4]

  static func run(_ speeds: inout Speeds) {
    print("ns each, medians, and times DispatchQueue.async: from one, two and four producers")
    let methods = Method.allCases
    var spans: [[[Double]]] = methods.map { _ in producers.map { _ in [] } }
    for _ in 0..<repetitions {
      for (place, method) in methods.enumerated() {
        for (column, count) in producers.enumerated() {
          spans[place][column].append(measured(method, count))
        }
      }
    }
    let medians = spans.map { $0.map { $0.median ?? 0 } }
    for (method, medians) in zip(methods, medians) {
      let cells = zip(medians, spans[0].map { $0.median ?? 0 }).map { own, dispatch in
        "\(Decimal.text(own, places: 0)) (\(Decimal.text(dispatch / own, places: 2)))"
      }
      print("\(method.rawValue): \(cells.joined(separator: ", "))")
    }
    for (name, place) in [("dispatch", 0), ("hand-off", 1)] {
      for (count, median) in zip(producers, medians[place]) {
        speeds.add("\(name)-\(count)", median, "ns")
      }
    }
  }

  private enum Method: String, CaseIterable {
    case dispatch = "DispatchQueue.async"
    case serial = "SerialScheduler.perform"
    case byItem = "OrderedStage, item by item"
    case byBatch = "OrderedStage, in batches"

    /// A function that passes numbers to `event`, in the order in which each thread sends them.
    func sender(_ event: @escaping @Sendable (Int) -> Void) -> @Sendable (Int) -> Void {
      switch self {
      case .dispatch:
        let queue = DispatchQueue(label: "events")
        return { number in queue.async { event(number) } }
      case .serial:
        let scheduler = SerialScheduler(name: "events")
        return { number in scheduler.perform { event(number) } }
      case .byItem, .byBatch:
        let scheduler = ConcurrentScheduler(name: "events", width: 2)
        let stage = OrderedStage<Int>(
          on: scheduler, drain: self == .byItem ? .item : .batch, deliver: event)
        return { stage.send($0) }
      }
    }
  }

  /// The last event of each producer shows that all before it have run.
  private static func measured(_ method: Method, _ producers: Int) -> Double {
    let ended = DispatchSemaphore(value: 0)
    let each = events / producers
    let send = method.sender { number in if number == each - 1 { ended.signal() } }
    let begin = DispatchTime.now().uptimeNanoseconds
    DispatchQueue.concurrentPerform(iterations: producers) { _ in
      for number in 0..<each { send(number) }
    }
    for _ in 0..<producers { ended.wait() }
    return Double(DispatchTime.now().uptimeNanoseconds - begin) / Double(each * producers)
  }
}
