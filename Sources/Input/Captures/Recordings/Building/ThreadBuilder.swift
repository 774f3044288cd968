internal import FrameBudget
internal import FrameBudgetParsing

/// The threads of a process, in the order in which a recording mentions them.
struct GatheredThreads {
  private(set) var order: [Int] = []
  var builders: [Int: ThreadBuilder] = [:]
  private var places: [Int: Int32] = [:]
  private let counts: [Int: Int]

  /// `counts` are the numbers of slices of the threads, where they are known.
  init(expecting counts: [Int: Int] = [:]) { self.counts = counts }

  /// The place of a thread in `order`, which is added if it is new.
  mutating func place(of number: Int) -> Int32 {
    if let place = places[number] { return place }
    let place = Int32(order.count)
    places[number] = place
    order.append(number)
    builders[number] = ThreadBuilder(expecting: counts[number] ?? 0)
    return place
  }

  /// The same for a thread that is not to be added.
  func known(_ number: Int) -> Int32? { places[number] }

  /// The data of a thread, which is added if it is new.
  subscript(number: Int) -> ThreadBuilder {
    get { builders[number] ?? ThreadBuilder() }
    _modify {
      _ = place(of: number)
      yield &builders[number, default: ThreadBuilder()]
    }
  }
}

/// The data of a thread that is gathered during reading.
struct ThreadBuilder {
  var name = ""
  private(set) var slices: [RecordedSlice] = []
  private var marks = SliceMarks()
  /// The app's own measures, which may cross slices.
  var measures: [RecordedSlice] = []
  /// The slices that are numbered steps of items.
  var steps: [NumberedStep] = []
  /// The times at which it had a core; nil if the scheduler was not recorded.
  var schedule: ThreadSchedule?

  /// `count` is the expected number of slices.
  init(expecting count: Int = 0) { slices.reserveCapacity(count) }

  var isEmpty: Bool { slices.isEmpty && marks.isEmpty && schedule?.runs.isEmpty ?? true }
  mutating func add(_ name: Int, from begin: Int64, length: Int64, cpu: Int64? = nil) {
    slices.append(
      RecordedSlice(
        name: Int32(name), depth: 0, begin: .nanoseconds(begin), length: .nanoseconds(length),
        cpu: cpu.map { .nanoseconds($0) }))
  }

  mutating func begin(_ name: Int, at instant: Int64, cpu: Int64? = nil) {
    mark(SliceMarks.Mark(instant: instant, cpu: cpu, name: Int32(name)))
  }

  mutating func end(at instant: Int64, cpu: Int64? = nil) {
    mark(SliceMarks.Mark(instant: instant, cpu: cpu, name: nil))
  }

  private mutating func mark(_ mark: SliceMarks.Mark) {
    marks.add(mark) { Self.add($0, to: &slices) }
  }

  /// Completes slices that are open at `end`, the end of the recording; returns the begin of the first of them.
  mutating func closeOpen(at end: Int64) -> Int64? {
    guard !marks.isEmpty else { return nil }
    var newest = NewestBegins()
    for slice in slices { newest.note(slice.name, slice.begin.nanoseconds) }
    return marks.close(at: end, newest: newest) { Self.add($0, to: &slices) }
  }

  /// The end of the outermost complete slice around `instant`; nil without one.
  func end(around instant: Int64) -> Int64? {
    slices.lazy.map { $0.begin.nanoseconds..<max($0.begin.nanoseconds, $0.end.nanoseconds) }
      .filter { $0.contains(instant) }.map(\.upperBound).max()
  }

  /// Gives complete slices for which `isMeant` is true the numbers of the names that `names` returns for them, where it does.
  mutating func rename(
    _ isMeant: (RecordedSlice) -> Bool, _ names: ([RecordedSlice]) -> [Int32?]
  ) {
    let meant = slices.indices.filter { isMeant(slices[$0]) }
    for case (let index, let name?) in zip(meant, names(meant.map { slices[$0] })) {
      slices[index].name = name
    }
  }

  /// All slices, in no order, and the number of slices without an end, which are left out.
  consuming func finished() -> (slices: [RecordedSlice], unfinished: Int) {
    let open = marks.finish { Self.add($0, to: &slices) }
    return (slices, open)
  }

  private static func add(_ slice: SliceMarks.Finished, to slices: inout [RecordedSlice]) {
    slices.append(
      RecordedSlice(
        name: slice.name, depth: 0, begin: .nanoseconds(slice.begin),
        length: .nanoseconds(slice.length), cpu: slice.cpu.map { .nanoseconds($0) }))
  }
}

/// A step of an item before its thread's slices are in order.
struct NumberedStep {
  let begin: Int64
  let name: Int32
  let step: RecordedStep

  /// `steps` with the indices of their slices; `slices` are in order.
  static func placed(_ steps: consuming [Self], in slices: [RecordedSlice]) -> [RecordedStep] {
    steps.sort { $0.begin < $1.begin }
    var placed: [RecordedStep] = []
    var next = 0
    for (index, slice) in slices.enumerated() {
      while next < steps.count, steps[next].begin < slice.begin.nanoseconds { next += 1 }
      let found = steps[next...].prefix { $0.begin == slice.begin.nanoseconds }.first {
        $0.name == slice.name
      }
      guard var step = found?.step else { continue }
      step.slice = index
      placed.append(step)
    }
    return placed
  }
}
