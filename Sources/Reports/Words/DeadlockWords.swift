public import FrameBudget

extension Deadlock {
  /// `threads import and share waited for each other's locks (catalogue, gallery) from 1.2 s on`
  var words: String {
    let names = threads.map { "'\($0)'" }
    let each = threads.count == 2 ? "each other's" : "one another's"
    return "threads \(English.list(names)) waited for \(each) locks "
      + "(\(locks.joined(separator: ", "))) from "
      + "\(Figure.span(milliseconds: since.sinceZero.inMilliseconds)) on, for ever"
  }
}

extension LockOrderConflict {
  /// `import takes catalogue, then gallery; clean-up takes gallery, then catalogue`
  public func words(in scenario: Scenario, under arrangement: Arrangement) -> String {
    let orders = [locks, locks.reversed()].map { locks in
      locks.map { arrangement.locks[$0].name }.joined(separator: ", then ")
    }
    return zip(workloads, orders).map { "\(scenario.workloads[$0].name) takes \($1)" }
      .joined(separator: "; ")
  }
}
