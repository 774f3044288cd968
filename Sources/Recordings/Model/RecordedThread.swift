public import FrameBudget

/// A thread of a recorded app.
public struct RecordedThread: Sendable {
  public var number: Int
  /// Empty where the recording has none.
  public var name: String
  /// In the order of their begins, an enclosing one before what it encloses; properly nested.
  public var slices: [RecordedSlice]
  /// When it had a core, in order, never overlapping; nil where no scheduler was recorded.
  public var runs: [Range<Int64>]?
  /// When it could have run and had no core: preempted, or woken and not begun; in order. Nil where `runs` is.
  public var ready: [Range<Int64>]?
  /// When what a slice does was posted, in the order of `slice`; a slice that is missing here was not seen being posted.
  public var posts: [RecordedPost]

  public init(
    number: Int, name: String, slices: [RecordedSlice] = [], runs: [Range<Int64>]? = nil,
    ready: [Range<Int64>]? = nil, posts: [RecordedPost] = []
  ) {
    self.number = number
    self.name = name
    self.slices = slices
    self.runs = runs
    self.ready = ready
    self.posts = posts
  }
}

/// A stretch of work with a name.
public struct RecordedSlice: Sendable {
  /// Where its name is in `Recording.names`.
  public var name: Int32
  /// Below zero of one that continues another, as there are millions of slices.
  private var storedDepth: Int32
  public var begin: TimeSpan
  public var length: TimeSpan
  /// In nanoseconds, as there are millions of slices; below zero where the recording does not tell.
  private var storedCPU: Int64

  /// Processor time, enclosed slices included; nil where the recording does not tell.
  public var cpu: TimeSpan? {
    get { storedCPU < 0 ? nil : TimeSpan(nanoseconds: storedCPU) }
    set { storedCPU = newValue.map { max(0, $0.nanoseconds) } ?? -1 }
  }

  public var end: TimeSpan { begin + length }

  /// How many slices enclose it; 0 is a task of its own.
  public var depth: Int32 {
    get { continues ? ~storedDepth : storedDepth }
    set { storedDepth = continues ? ~newValue : newValue }
  }

  /// Whether it is a further part of the interval that the slice of its name before it is a part of.
  public var continues: Bool {
    get { storedDepth < 0 }
    set { if newValue != continues { storedDepth = ~storedDepth } }
  }

  public init(name: Int32, depth: Int32, begin: TimeSpan, length: TimeSpan, cpu: TimeSpan? = nil) {
    self.name = name
    storedDepth = depth
    self.begin = begin
    self.length = length
    storedCPU = -1
    self.cpu = cpu
  }
}

/// That work was handed to a thread before it began there.
public struct RecordedPost: Sendable {
  /// Which of the thread's slices it is.
  public var slice: Int
  public var instant: TimeSpan

  public init(slice: Int, instant: TimeSpan) {
    self.slice = slice
    self.instant = instant
  }
}
