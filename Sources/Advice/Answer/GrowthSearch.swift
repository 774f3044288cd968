internal import FrameBudget

/// How far costs may grow before more variants of the scenario miss an aim than may.
///
/// What the weakest variants bear is what counts: of 20 the third weakest. Each further variant is therefore run once, at
/// what that one bears, and looked at closer only where it bears less. What a variant bears is found by halving: a growth
/// that is borne above one that is not stays unfound.
struct GrowthSearch {
  /// Of a variant at costs that are so many percent higher: by aim, whether it is reached; nil where somebody ended it.
  private let reached: (_ variant: Int, _ percent: Int) -> [Bool]?
  private let mostFailing: Int
  /// The weakest variants first, as far as that is known.
  private var order: [Int]
  /// By variant and step.
  private var known: [[Int: [Bool]]]

  private struct Ended: Error {}

  init(variants: Int, reached: @escaping (_ variant: Int, _ percent: Int) -> [Bool]?) {
    self.reached = reached
    mostFailing = Steadiness.mayMiss(of: variants)
    order = Array(0..<variants)
    known = Array(repeating: [:], count: variants)
  }

  /// The growth that is borne with all aims, and that with each of them alone, in percent; nil where somebody ended it.
  mutating func percents(aims: Int) -> (all: Int, each: [Int])? {
    do throws(Ended) {
      let all = try last(from: 0) { $0.allSatisfy(\.self) }
      // With no aim alone fewer variants fail than with all of them.
      var each: [Int] = []
      for aim in 0..<aims { each.append(try last(from: all) { $0[aim] }) }
      return (Margin.steps[all], each.map { Margin.steps[$0] })
    } catch {
      return nil
    }
  }

  /// The last step that enough variants bear, of which `least` is the first that counts.
  private mutating func last(
    from least: Int, _ isBorne: ([Bool]) -> Bool
  ) throws(Ended) -> Int {
    // The steps that the weakest variants bear, in ascending order: one more of them than may fail.
    var weakest: [(variant: Int, step: Int)] = []
    for (position, variant) in order.enumerated() {
      let isFull = weakest.count > mostFailing
      let most = (isFull ? weakest.last?.step : nil) ?? Margin.steps.count - 1
      let near = weakest.first?.step ?? (least + most) / 2
      let step = try last(of: variant, in: least...most, near: near, isBorne)
      let place = weakest.firstIndex { $0.step > step } ?? weakest.count
      weakest.insert((variant, step), at: place)
      if isFull { weakest.removeLast() }
      guard weakest.count > mostFailing, let third = weakest.last?.step else { continue }
      // Even if all that are left bore less, too few would, or nothing less counts.
      let below = weakest.count { $0.step < third } + order.count - position - 1
      if below <= mostFailing || third == least { break }
    }
    let first = weakest.map(\.variant)
    order = first + order.filter { !first.contains($0) }
    return weakest.last?.step ?? least
  }

  /// The last step in `steps` that a variant bears; the first one where it bears none. Begins at the last, then `near`.
  private mutating func last(
    of variant: Int, in steps: ClosedRange<Int>, near: Int, _ isBorne: ([Bool]) -> Bool
  ) throws(Ended) -> Int {
    var (borne, broken) = (steps.lowerBound, steps.upperBound + 1)
    var probe = steps.upperBound
    var stride = 1
    while broken - borne > 1 {
      if isBorne(try outcome(of: variant, at: probe)) {
        borne = probe
        probe += stride
      } else {
        let isFirst = broken > steps.upperBound
        broken = probe
        probe = isFirst ? near : probe - stride
      }
      stride *= 2
      if probe <= borne || probe >= broken { probe = (borne + broken) / 2 }
    }
    return borne
  }

  private mutating func outcome(of variant: Int, at step: Int) throws(Ended) -> [Bool] {
    if let known = known[variant][step] { return known }
    guard let outcome = reached(variant, Margin.steps[step]) else { throw Ended() }
    known[variant][step] = outcome
    return outcome
  }
}
