import TestSupport

/// The queue-and-park protocol as a state machine, small enough for a check of every interleaving.
///
/// Each step is one atomic access of `StackQueue` or `FutexParker`; `successors` gives the states that any thread's
/// next step leads to.
struct QueueModel: StateModel {
  /// `StackQueue`'s word: the events, newest first, and the marks.
  struct Word: Hashable {
    var events: [UInt8] = []
    var isParked = false
    var isClosed = false
    var hasEnded = false
  }

  enum Parker: Hashable { case empty, woken, asleep }

  enum ProducerStep: Hashable {
    case load
    case replace(Word)
    case readFlag
    case store(Word)
    case exchangeParker
    case wakeFutex
  }

  enum CloserStep: Hashable { case load, replace(Word), exchangeParker, wakeFutex, done }

  enum ConsumerStep: Hashable {
    case take
    case storeEmpty
    case park
    case setFlag
    case claimSleep
    case sleep
    case blocked
    case leaveSleep
    case unpark
    case end
    case ended
  }

  struct Producer: Hashable {
    var step = ProducerStep.load
    var toSend: [UInt8]
  }

  let fault: Fault?
  /// Whether the consumer sleeps after the closing too, because somebody else ends it: `park(evenIfClosed: true)`.
  let outlivesClosing: Bool
  let total: Int
  var word = Word()
  var parker = Parker.empty
  /// The second variable that only a faulty protocol has.
  var sleepFlag = false
  var producers: [Producer]
  var closer: CloserStep
  var consumer = ConsumerStep.take
  var isFutexWoken = false
  var ran: [UInt8] = []
  var refused: [UInt8] = []
  var parks = 0
  var wakes = 0

  /// Two producers; event `10 * producer + number`, so that the number shows the order.
  init(
    eventsPerProducer: Int, closes: Bool, outlivesClosing: Bool = false, fault: Fault? = nil
  ) {
    self.fault = fault
    self.outlivesClosing = outlivesClosing
    total = 2 * eventsPerProducer
    producers = [1, 2].map { producer in
      Producer(toSend: (0..<eventsPerProducer).map { UInt8(10 * producer + $0) })
    }
    closer = closes ? .load : .done
  }

  var successors: [QueueModel] {
    var next = producers.indices.flatMap { afterProducer($0) }
    next += afterCloser() + afterConsumer()
    return next
  }

  func violation(isFinal: Bool) -> String? {
    let all = ran + refused + word.events
    if Set(all).count != all.count { return "an event twice: \(all)" }
    if wakes > parks { return "\(wakes) wake-ups for \(parks) sleeps" }
    for producer in [UInt8(1), 2] {
      let mine = ran.filter { $0 / 10 == producer }
      if mine != mine.sorted() { return "reordered: \(ran)" }
    }
    guard isFinal else { return nil }
    let sent = producers.allSatisfy(\.toSend.isEmpty)
    if !sent { return "a producer is stuck" }
    let expected = word.isClosed && !outlivesClosing ? ConsumerStep.ended : .blocked
    if consumer != expected { return "the consumer hangs at \(consumer)" }
    if !word.events.isEmpty { return "asleep beside \(word.events)" }
    let lost = total - ran.count - refused.count
    return lost == 0 ? nil : "\(lost) events lost"
  }

  /// The second producer's events are of the kind that a closed queue still accepts.
  static func mustRun(_ event: UInt8) -> Bool { event >= 20 }
}

extension QueueModel {
  /// A mistake built into the protocol on purpose; the checker must find each of them.
  enum Fault: CaseIterable {
    /// The consumer stores `parked` without checking whether an event came.
    case parksByStore
    /// A separate variable shows whether the consumer sleeps, and the producer reads it before it pushes.
    case separateSleepFlag
    /// A producer stores its event without checking whether the word changed.
    case pushesByStore
    /// The consumer reads the word and empties it afterwards.
    case takesInTwoSteps
    /// The consumer runs the events in the order of the stack: newest first.
    case runsUnreversed
    /// A producer that removed the mark does not wake the consumer.
    case forgetsToWake
    /// A producer wakes the consumer whenever the queue was empty.
    case wakesWhenEmpty
    /// The parker does not keep a wake-up that comes first.
    case parkerForgets
    /// Closing does not wake the consumer.
    case closesWithoutWaking
    /// Closing stores its mark without checking whether the word changed.
    case closesByStore
    /// The consumer ends without checking whether an event came before the mark.
    case endsByStore
  }
}
