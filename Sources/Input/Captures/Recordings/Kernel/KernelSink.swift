internal import FrameBudgetParsing

/// Receives the events of Linux and Android from any format.
protocol KernelSink {
  /// A thread wrote `mark`, in the format of Android's `Trace`; `cpu` is its processor time so far.
  mutating func mark(_ mark: AtraceMark, thread: Int, at instant: Int64, cpu: Int64?)
  /// A core switches from one thread to the next; `wasPreempted` is whether the first one was still ready.
  mutating func switched(core: Int, from: Int, wasPreempted: Bool, to: Int, at instant: Int64)
  /// `waker` is the thread that ran on the core then; nil if unknown.
  mutating func woken(thread: Int, by waker: Int?, at instant: Int64)
  /// The name of a thread, and its process; nil if unknown.
  mutating func describe(thread: Int, process: Int?, name: String?)
  /// The number of a mark's name.
  mutating func intern(_ name: Span<UInt8>) -> Int
  /// A thread was in a function with probes, whose name is that number.
  mutating func called(_ name: Int, thread: Int, from begin: Int64, to end: Int64)
  /// A client of Wayland made a request, on the surface of that number if it is known.
  mutating func requested(
    _ request: WaylandRequest, of surface: Int?, thread: Int, at instant: Int64)
  /// A client of Wayland does something with the callback of that number.
  mutating func used(
    _ use: WaylandCallback, of callback: Int, thread: Int, at instant: Int64)
  /// A thread begins to wait for events, or ends that.
  mutating func awaits(_ begins: Bool, thread: Int, at instant: Int64)
  /// A thread has ended or was stopped when it left its core.
  mutating func halted(thread: Int, at instant: Int64)
  /// The recording has an event of any kind, and thus lasts at least until then.
  mutating func reached(_ instant: Int64)
}

extension KernelSink {
  mutating func used(
    _ use: WaylandCallback, of callback: Int, thread: Int, at instant: Int64
  ) {}
  mutating func awaits(_ begins: Bool, thread: Int, at instant: Int64) {}
  mutating func halted(thread: Int, at instant: Int64) {}
  mutating func reached(_ instant: Int64) {}
  mutating func called(_ name: Int, thread: Int, from begin: Int64, to end: Int64) {}
  mutating func requested(
    _ request: WaylandRequest, of surface: Int?, thread: Int, at instant: Int64
  ) {}
}

/// A mark of Android's `Trace`: `B|123|name`, `E|123`, `C|123|name|1`.
enum AtraceMark {
  case begin(process: Int?, name: Int)
  case end(process: Int?)
  case counter(process: Int?, name: Int, value: Int64)
}
