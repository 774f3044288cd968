internal import Glibc

/// The most memory that this process has had at once, in KiB.
func peakMemory() -> Int {
  var usage = rusage()
  // `usage` is a whole rusage that the call fills in.
  _ = unsafe getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
  return usage.ru_maxrss
}
