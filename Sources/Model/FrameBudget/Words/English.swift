/// Nouns after numbers, and lists.
package enum English {
  /// `1 frame`, `2 frames`, `0 frames`.
  package static func count(_ number: Int, _ noun: String) -> String {
    "\(number) \(number == 1 ? noun : plural(noun))"
  }

  /// `noun` in the plural; a noun that ends in `s` counts as plural, like many names of workloads, but not a `class` or `bus`.
  package static func plural(_ noun: String) -> String {
    if ["ss", "us"].contains(where: noun.hasSuffix) { return noun + "es" }
    guard let last = noun.last, last.isLetter, last != "s" else { return noun }
    if ["ch", "sh", "x", "z"].contains(where: noun.hasSuffix) { return noun + "es" }
    let beforeLast = noun.dropLast().last ?? "a"
    if last == "y" && !"aeiou".contains(beforeLast) { return noun.dropLast() + "ies" }
    return noun + "s"
  }

  /// `1 frame becomes 0`, `2 frames become 1`.
  package static func change(_ before: Int, _ noun: String, _ after: Int) -> String {
    "\(count(before, noun)) \(before == 1 ? "becomes" : "become") \(after)"
  }

  /// The text with a capital letter.
  package static func capitalized(_ text: String) -> String {
    text.prefix(1).uppercased() + text.dropFirst()
  }

  /// `a`, `a and b`, `a, b and c`.
  package static func list(_ parts: [String]) -> String {
    guard let last = parts.last, parts.count > 1 else { return parts.first ?? "" }
    return parts.dropLast().joined(separator: ", ") + " and " + last
  }

  /// The same of at most `most` parts, with the number of the others.
  package static func list(_ parts: [String], most: Int) -> String {
    guard parts.count > most else { return list(parts) }
    return "\(parts.prefix(most).joined(separator: ", ")) and \(parts.count - most) more"
  }
}
