/// Compares two rankings of the same things by percentages of vsyncs.
enum Ranking {
  /// Kendall's tau-b of predictions and outcomes: 1 if both rank everything alike. Values within one percent of the vsyncs are
  /// ties. Nil if all outcomes are ties, because then there is no order.
  static func tau(_ pairs: [(predicted: Double, recorded: Double)]) -> Double? {
    var (alike, unlike, tiedPredicted, tiedRecorded) = (0, 0, 0, 0)
    for first in pairs.indices {
      for second in pairs[(first + 1)...] {
        let predicted = order(pairs[first].predicted, second.predicted)
        let recorded = order(pairs[first].recorded, second.recorded)
        switch (predicted, recorded) {
        case (0, 0): break
        case (0, _): tiedPredicted += 1
        case (_, 0): tiedRecorded += 1
        case _ where predicted == recorded: alike += 1
        default: unlike += 1
        }
      }
    }
    let untied = alike + unlike
    guard untied + tiedPredicted > 0 else { return nil }
    let all = Double(untied + tiedPredicted) * Double(untied + tiedRecorded)
    return all == 0 ? 0 : Double(alike - unlike) / all.squareRoot()
  }

  private static func order(_ first: Double, _ second: Double) -> Int {
    abs(first - second) <= 1 ? 0 : first < second ? -1 : 1
  }
}
