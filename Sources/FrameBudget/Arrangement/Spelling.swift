/// Finds what somebody probably meant to write.
public enum Spelling {
  /// `; did you mean 'X'?` where one of `names` is near, otherwise `; allowed: A, B, C`.
  public static func suggestion(for word: String, among names: [String]) -> String {
    if let nearest = nearest(to: word, among: names) { return "; did you mean '\(nearest)'?" }
    return "; allowed: \(names.joined(separator: ", "))"
  }

  /// The one of `names` that takes the fewest edits to reach, if they are few for a word of its length.
  public static func nearest(to word: String, among names: [String]) -> String? {
    let letters = Array(word.lowercased().prefix(64))
    let ranked = names.map { (name: $0, edits: edits(letters, Array($0.lowercased()))) }
    guard let best = ranked.min(by: { $0.edits < $1.edits }) else { return nil }
    return best.edits <= max(1, min(letters.count, best.name.count) / 3) ? best.name : nil
  }

  /// Insertions, deletions, substitutions and swaps of neighbours (optimal string alignment distance).
  private static func edits(_ left: [Character], _ right: [Character]) -> Int {
    var beforePrevious = [Int]()
    var previous = Array(0...right.count)
    for i in left.indices {
      var current = [i + 1]
      for j in right.indices {
        let substitution = previous[j] + (left[i] == right[j] ? 0 : 1)
        var best = min(substitution, previous[j + 1] + 1, current[j] + 1)
        if i > 0, j > 0, left[i] == right[j - 1], left[i - 1] == right[j] {
          best = min(best, beforePrevious[j - 1] + 1)
        }
        current.append(best)
      }
      (beforePrevious, previous) = (previous, current)
    }
    return previous[right.count]
  }
}
