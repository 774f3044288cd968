internal import FrameBudget

extension SimulatedApp {
  /// Goes through the frames before time 0 and returns how many they are.
  ///
  /// They only read and draw, and nothing else runs yet, so their lengths are known without the machine. Time 0
  /// is when the first frame begins after the warm-up's length; until then frames have negative numbers.
  mutating func warmUp(speed: Int) -> Int {
    let length = frame.refresh.firstVsync(atOrAfter: .zero + plan.scenario.warmup)
    var count = 0
    var vsync = 0
    while vsync < length {
      count += 1
      var work = plan.renderCost(vsync: -count)
      for read in frame.reads.indices { work += plan.readCost(read, vsync: -count) }
      let span = Core(speed: speed).span(of: work.nanoseconds * 1000)
      gate.learn(reserve: span)
      vsync = max(vsync + 1, frame.refresh.firstVsync(atOrAfter: frame.refresh.vsync(vsync) + span))
    }
    return count
  }
}
