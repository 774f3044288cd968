internal import SchedulableThreads
internal import Synchronization

/// An element of a source, or its end.
enum Signal<Element: Sendable>: Sendable {
  case element(Element)
  case end((any Error)?)
}

/// Sends elements to the chains that are connected to it.
///
/// ```swift
/// let photos = Source<Photo>(on: pool)
/// let shown = photos.chain
///   .filter { $0.isSharp }
///   .map { try thumbnail(of: $0) }
///   .deliver(on: screen)
///   .forEach { gallery.show($0) } onEnd: { error in gallery.close(error) }
/// photos.send(photo)      // from any thread; returns at once
/// photos.finish()
/// shown.dispose()         // ends it early
/// ```
///
/// A chain without a reference to it goes on for as long as its source.
public final class Source<Element: Sendable>: Sendable {
  private enum State {
    case open([OrderedStage<Signal<Element>>])
    case over((any Error)?)
  }

  private let scheduler: any DeliveryScheduler
  private let state = Locked(State.open([]))

  /// - Parameter scheduler: runs the steps of its chains, one element of a chain at a time.
  public init(on scheduler: any DeliveryScheduler) { self.scheduler = scheduler }

  /// The start of a chain, which gets the elements that are sent after its `forEach`.
  public var chain: Chain<Element> {
    Chain { [self] members, receive in
      let stage = OrderedStage(on: scheduler, deliver: receive)
      members.add(WeakMember(stage) { [weak self] in self?.disconnect($0) })
      connect(stage)
    }
  }

  /// Sends an element to all chains. Has no effect after the end.
  public func send(_ element: Element) {
    let stages = state.withLock { state -> [OrderedStage<Signal<Element>>] in
      if case .open(let stages) = state { stages } else { [] }
    }
    for stage in stages { stage.send(.element(element)) }
  }

  /// Ends all chains, behind the elements that were sent.
  ///
  /// - Parameter error: the reason; nil for a regular end.
  public func finish(throwing error: (any Error)? = nil) {
    let stages = state.withLock { state -> [OrderedStage<Signal<Element>>] in
      guard case .open(let stages) = state else { return [] }
      state = .over(error)
      return stages
    }
    for stage in stages { stage.send(.end(error)) }
  }

  /// Removes a stage that gets nothing more. It is released outside the lock.
  private func disconnect(_ stage: OrderedStage<Signal<Element>>) {
    _ = state.withLock { state -> [OrderedStage<Signal<Element>>] in
      guard case .open(let stages) = state else { return [] }
      state = .open(stages.filter { $0 !== stage })
      return stages
    }
  }

  private func connect(_ stage: OrderedStage<Signal<Element>>) {
    let end = state.withLock { state -> Signal<Element>? in
      switch state {
      case .open(let stages):
        state = .open(stages.filter { !$0.isDisposed } + [stage])
        return nil
      case .over(let error): return .end(error)
      }
    }
    if let end { stage.send(end) }
  }
}

/// Steps for the elements of a source, in reading order. It does nothing until `forEach`.
///
/// Each step gets one element at a time, in the order sent. A step that throws ends the chain: `onEnd` gets the error.
public struct Chain<Element: Sendable>: Sendable {
  fileprivate typealias Receiver<Value: Sendable> = @Sendable (Signal<Value>) -> Void

  /// Connects a receiver, which gets one signal at a time. What has to be stopped early is added to the members, weakly: the
  /// receiver has a reference to them.
  private let connect: @Sendable (Disposables, @escaping Receiver<Element>) -> Void

  fileprivate init(
    connect: @escaping @Sendable (Disposables, @escaping Receiver<Element>) -> Void
  ) {
    self.connect = connect
  }

  /// Passes on what `transform` makes of each element.
  public func map<Value: Sendable>(
    _ transform: @escaping @Sendable (Element) throws -> Value
  ) -> Chain<Value> {
    step { try transform($0) }
  }

  /// Passes on the elements for which `isIncluded` is true.
  public func filter(_ isIncluded: @escaping @Sendable (Element) throws -> Bool) -> Chain {
    step { try isIncluded($0) ? $0 : nil }
  }

  /// Continues on another scheduler.
  public func deliver(on scheduler: any DeliveryScheduler) -> Chain {
    Chain { [connect] members, receive in
      let stage = OrderedStage(on: scheduler, deliver: receive)
      members.add(WeakMember(stage))
      connect(members) { stage.send($0) }
    }
  }

  /// Continues on another scheduler, and leaves out elements that are older than the newest when their turn comes.
  public func latest(on scheduler: any DeliveryScheduler) -> Chain {
    newest(on: scheduler, after: nil)
  }

  /// Continues on another scheduler with the elements that have stayed the newest for a time. The last one before the end comes
  /// without waiting.
  public func debounce(for span: Duration, on scheduler: any DeliveryScheduler) -> Chain {
    newest(on: scheduler, after: span)
  }

  /// Starts the chain.
  ///
  /// - Parameters:
  ///   - body: called for each element that has passed the steps.
  ///   - onEnd: called once, behind all elements, with the error of the source or of a step, if any. Not called if the chain is
  ///     disposed of.
  /// - Returns: ends the chain early if it is disposed of.
  @discardableResult
  public func forEach(
    _ body: @escaping @Sendable (Element) -> Void,
    onEnd: @escaping @Sendable ((any Error)?) -> Void = { _ in }
  ) -> any Disposable {
    let members = Disposables()
    connect(members) { signal in
      // Also after the end: an element that was sent at the same moment may come behind it.
      if members.isDisposed { return }
      switch signal {
      case .element(let element): body(element)
      case .end(let error):
        onEnd(error)
        members.dispose()
      }
    }
    return members
  }

  // MARK: Its parts

  /// Passes on what `change` returns for each element, if anything, and ends when it throws.
  private func step<Value: Sendable>(
    _ change: @escaping @Sendable (Element) throws -> Value?
  ) -> Chain<Value> {
    Chain<Value> { [connect] members, receive in
      let isOver = Flag()
      connect(members) { signal in
        if isOver.isSet { return }
        switch signal {
        case .end(let error):
          isOver.set()
          receive(.end(error))
        case .element(let element):
          do {
            if let value = try change(element) { receive(.element(value)) }
          } catch {
            isOver.set()
            receive(.end(error))
          }
        }
      }
    }
  }

  /// Delivers the newest element: once it has been that for the span, or as soon as the scheduler can; or before the end.
  private func newest(on scheduler: any DeliveryScheduler, after span: Duration?) -> Chain {
    Chain { [connect] members, receive in
      let waiting = Locked<Newest<Element>>(Newest())
      let stage = OrderedStage<Signal<Int?>>(on: scheduler) { signal in
        switch signal {
        case .element(let number):
          if let element = waiting.withLock({ $0.take(number) }) { receive(.element(element)) }
        case .end(let error):
          if let element = waiting.withLock({ $0.take() }) { receive(.element(element)) }
          receive(.end(error))
        }
      }
      members.add(WeakMember(stage) { _ in waiting.withLock { $0.clear() }() })
      connect(members) { signal in
        switch signal {
        case .end(let error): stage.send(.end(error))
        case .element(let element):
          // Behind the check nothing waits for long: without a span its turn is next, and with one it is noted below.
          if stage.isDisposed { return }
          let (number, hasTurn, withdraw) = waiting.withLock { $0.replace(element) }
          if let span {
            withdraw()
            let next = scheduler.delay(span) { stage.send(.element(number)) }
            waiting.withLock { $0.note(number, withdraw: next) }
            if stage.isDisposed { waiting.withLock { $0.clear() }() }
          } else if !hasTurn {
            stage.send(.element(nil))
          }
        }
      }
    }
  }
}

/// The newest element, until it is delivered or replaced.
private struct Newest<Element: Sendable>: Sendable {
  private var element: Element?
  private var number = 0
  private var withdraw: @Sendable () -> Void = {}

  /// Returns the number of the new element, whether another one waited, and the closure that withdraws the turn of that one.
  mutating func replace(_ newer: Element) -> (Int, Bool, @Sendable () -> Void) {
    let (before, hasTurn) = (withdraw, element != nil)
    (element, number, withdraw) = (newer, number + 1, {})
    return (number, hasTurn, before)
  }

  mutating func note(_ number: Int, withdraw: @escaping @Sendable () -> Void) {
    if number == self.number { self.withdraw = withdraw }
  }

  /// Removes the element. Returns the closure that releases it, and withdraws its turn.
  mutating func clear() -> @Sendable () -> Void {
    let (element, withdraw) = (element, withdraw)
    (self.element, self.withdraw) = (nil, {})
    return { withExtendedLifetime(element) { withdraw() } }
  }

  /// Removes and returns the element, if it has this number; with nil whatever its number.
  mutating func take(_ number: Int? = nil) -> Element? {
    if let number, number != self.number { return nil }
    return element.take()
  }
}

/// A stage among the members of a chain, which the stage before it, or the source, keeps.
private final class WeakMember<Element: Sendable>: Disposable {
  // Proof: never written after the initialisation; reading a weak reference is atomic.
  private nonisolated(unsafe) weak var stage: OrderedStage<Element>?
  private let onDisposal: @Sendable (OrderedStage<Element>) -> Void

  init(
    _ stage: OrderedStage<Element>,
    onDisposal: @escaping @Sendable (OrderedStage<Element>) -> Void = { _ in }
  ) {
    unsafe self.stage = stage
    self.onDisposal = onDisposal
  }

  func dispose() {
    guard let stage = unsafe stage else { return }
    stage.dispose()
    onDisposal(stage)
  }

  /// A stage that is gone delivers nothing more.
  var isDisposed: Bool { unsafe stage?.isDisposed ?? true }
}

/// Is set once, and read from any thread.
private final class Flag: Sendable {
  private let value = Atomic(false)

  var isSet: Bool { value.load(ordering: .acquiring) }
  func set() { value.store(true, ordering: .releasing) }
}
