extension QueueModel {
  func afterProducer(_ index: Int) -> [QueueModel] {
    guard let event = producers[index].toSend.first else { return [] }
    var next = self
    switch producers[index].step {
    case .load where fault == .separateSleepFlag:
      next.producers[index].step = .readFlag
    case .load:
      next.producers[index].step = fault == .pushesByStore ? .store(word) : .replace(word)
    case .readFlag:
      // The faulty order: whether to wake is decided before the push.
      next.sleepFlag = false
      next.word.events.insert(event, at: 0)
      next.sent(index, mustWake: sleepFlag)
    case .replace(let seen):
      next.replaceWord(seen, event, index)
    case .store(let seen):
      next.word = seen
      next.push(event, index, over: seen)
    case .exchangeParker:
      next.exchangeParker()
      next.producers[index].step = parker == .asleep ? .wakeFutex : .load
      if parker != .asleep { next.producers[index].toSend.removeFirst() }
    case .wakeFutex:
      next.isFutexWoken = consumer == .blocked
      next.producers[index].step = .load
      next.producers[index].toSend.removeFirst()
    }
    return [next]
  }

  private mutating func replaceWord(_ seen: Word, _ event: UInt8, _ index: Int) {
    if seen.isClosed, seen.hasEnded || !Self.mustRun(event) {
      refused.append(event)
      producers[index].step = .load
      producers[index].toSend.removeFirst()
    } else if word == seen {
      push(event, index, over: seen)
    } else {
      producers[index].step = .replace(word)
    }
  }

  private mutating func push(_ event: UInt8, _ index: Int, over seen: Word) {
    word.events.insert(event, at: 0)
    word.isParked = false
    switch fault {
    case .forgetsToWake: sent(index, mustWake: false)
    case .wakesWhenEmpty: sent(index, mustWake: seen.events.isEmpty)
    default: sent(index, mustWake: seen.isParked)
    }
  }

  private mutating func sent(_ index: Int, mustWake: Bool) {
    if mustWake {
      wakes += 1
      producers[index].step = .exchangeParker
    } else {
      producers[index].step = .load
      producers[index].toSend.removeFirst()
    }
  }

  private mutating func exchangeParker() {
    if parker == .empty, fault == .parkerForgets { return }
    parker = .woken
  }

  func afterCloser() -> [QueueModel] {
    var next = self
    switch closer {
    case .load: next.closer = .replace(word)
    case .replace(let seen):
      next.close(over: seen)
    case .exchangeParker:
      next.exchangeParker()
      next.closer = parker == .asleep ? .wakeFutex : .done
    case .wakeFutex:
      next.isFutexWoken = consumer == .blocked
      next.closer = .done
    case .done: return []
    }
    return [next]
  }

  private mutating func close(over seen: Word) {
    guard word == seen || fault == .closesByStore else {
      closer = .replace(word)
      return
    }
    word = seen
    word.isClosed = true
    word.isParked = false
    closer = .done
    if seen.isParked, fault != .closesWithoutWaking {
      wakes += 1
      closer = .exchangeParker
    }
  }

  func afterConsumer() -> [QueueModel] {
    var next = self
    switch consumer {
    case .take:
      next.ran += fault == .runsUnreversed ? word.events : word.events.reversed()
      next.consumer = ends ? .end : fault == .separateSleepFlag ? .setFlag : .park
      if fault == .takesInTwoSteps { next.consumer = .storeEmpty } else { next.word.events = [] }
    case .storeEmpty:
      next.word.events = []
      next.consumer = ends ? .end : .park
    case .park:
      next.park()
    case .setFlag:
      next.sleepFlag = true
      next.parks += 1
      next.consumer = .claimSleep
    case .claimSleep:
      next.parker = parker == .empty ? .asleep : parker
      next.consumer = parker == .empty ? .sleep : .leaveSleep
    case .sleep:
      next.consumer = parker == .asleep ? .blocked : .leaveSleep
      next.isFutexWoken = false
    case .blocked:
      if !isFutexWoken { return [] }
      next.isFutexWoken = false
      next.consumer = .sleep
    case .leaveSleep:
      next.parker = .empty
      next.consumer = .unpark
    case .unpark:
      next.word.isParked = false
      next.consumer = .take
    case .end:
      let mayEnd = word.events.isEmpty || fault == .endsByStore
      next.word.hasEnded = mayEnd
      next.consumer = mayEnd ? .ended : .take
    case .ended: return []
    }
    return [next]
  }

  /// Whether the consumer ends, and does not sleep.
  private var ends: Bool { word.isClosed && !outlivesClosing }

  private mutating func park() {
    let isOpenAndEmpty = word == Word()
    let isClosedAndEmpty = outlivesClosing && word == Word(isClosed: true)
    let isFree = isOpenAndEmpty || isClosedAndEmpty || fault == .parksByStore
    if isFree {
      if fault == .parksByStore { word = Word() }
      word.isParked = true
      parks += 1
    }
    consumer = isFree ? .claimSleep : .take
  }
}
