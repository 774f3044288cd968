internal import Parsing

/// What Linux and Android note while an app runs, by whichever format it comes.
protocol KernelSink {
  /// A thread wrote `mark`, of the form that Android's `Trace` has; `cpu` is how much of the processor it had used.
  mutating func mark(_ mark: AtraceMark, thread: Int, at instant: Int64, cpu: Int64?)
  /// A core goes from one thread to the next; `wasPreempted` where the first had more to do.
  mutating func switched(core: Int, from: Int, wasPreempted: Bool, to: Int, at instant: Int64)
  mutating func woken(thread: Int, at instant: Int64)
  /// What a thread is called, and the process that it is of; nil of what is not said.
  mutating func know(thread: Int, process: Int?, name: String?)
  /// The number of a mark's name.
  mutating func number(of name: Span<UInt8>) -> Int
}

/// A mark of Android's `Trace`: `B|123|name`, `E|123`, `C|123|name|1`.
enum AtraceMark {
  case begin(process: Int?, name: Int)
  case end(process: Int?)
  case counter(process: Int?, name: Int, value: Int64)
}
