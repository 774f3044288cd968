/// Words that follow a number.
public enum English {
  /// `1 frame`, `2 frames`, `0 frames`.
  public static func count(_ number: Int, _ noun: String) -> String {
    "\(number) \(number == 1 ? noun : plural(noun))"
  }

  /// `noun` in the plural; one that ends in `s` is taken to be in it already, as names of workloads often are.
  static func plural(_ noun: String) -> String {
    guard let last = noun.last, last.isLetter, last != "s" else { return noun }
    if ["ch", "sh", "x", "z"].contains(where: noun.hasSuffix) { return noun + "es" }
    let beforeLast = noun.dropLast().last ?? "a"
    if last == "y" && !"aeiou".contains(beforeLast) { return noun.dropLast() + "ies" }
    return noun + "s"
  }

  /// `a`, `a and b`, `a, b and c`.
  package static func list(_ parts: [String]) -> String {
    guard let last = parts.last, parts.count > 1 else { return parts.first ?? "" }
    return parts.dropLast().joined(separator: ", ") + " and " + last
  }
}
