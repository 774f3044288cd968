internal import FrameBudget

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
