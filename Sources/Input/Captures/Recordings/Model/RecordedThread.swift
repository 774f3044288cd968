public import FrameBudget

/// A thread of a recorded app.
public struct RecordedThread: Sendable {
  public var number: Int
  /// Empty if the recording has none.
  public var name: String
  /// In the order of their starts, an enclosing slice before the slices inside it; properly nested.
  public var slices: [RecordedSlice] = []
  /// When it had a core, in nanoseconds; in order, without overlaps. Nil if the scheduler was not recorded.
  public var runs: [Range<Int64>]?
  /// When it was ready and had no core, preempted or woken and not begun, in nanoseconds; in order. Nil if `runs` is nil.
  public var ready: [Range<Int64>]?
  /// When the work of slices was posted, in the order of `slice`. A slice that is missing here has no recorded post.
  public var posts: [RecordedPost] = []
  /// The slices that the recording numbers as steps of items, in the order of `slice`.
  public var steps: [RecordedStep] = []
}

/// A named interval of work on a thread.
public struct RecordedSlice: Sendable {
  /// The index of its name in `Recording.names`.
  public var name: Int32
  /// The depth; its bitwise complement if the slice continues another. One field for both, because there are millions of
  /// slices.
  private var storedDepth: Int32
  public var begin: TimeSpan
  public var length: TimeSpan
  /// In nanoseconds; negative if unknown. Compact, because there are millions of slices.
  private var storedCPU: Int64

  /// Processor time, including enclosed slices; nil if the recording does not have it.
  public var cpu: TimeSpan? {
    get { storedCPU < 0 ? nil : TimeSpan(nanoseconds: storedCPU) }
    set { storedCPU = newValue.map { max(0, $0.nanoseconds) } ?? -1 }
  }

  public var end: TimeSpan { begin + length }

  /// The number of slices that enclose it; 0 for a task of its own.
  public var depth: Int32 {
    get { continues ? ~storedDepth : storedDepth }
    set { storedDepth = continues ? ~newValue : newValue }
  }

  /// Whether it continues the interval of the previous slice with its name.
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

/// A post: work was handed to a thread before it began there.
public struct RecordedPost: Sendable {
  /// The index of the thread's slice.
  public var slice: Int
  public var instant: TimeSpan
  /// The number of the thread of the same process that posted it; nil if that was not recorded.
  public var origin: Int?
  /// Whether a timer did, which was due at `instant`.
  public var isTimer = false
}

/// A slice that is a step of an item.
public struct RecordedStep: Sendable {
  /// The index of the thread's slice.
  public var slice: Int
  /// The same for all items of a workload.
  public var workload: Int
  /// The number of the item in its workload.
  public var item: Int
}
