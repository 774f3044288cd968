internal import FrameBudget
internal import Parsing

/// Where the columns of a file stand: readers go by their names.
struct ColumnPlaces {
  let names: [String]
  private let places: [String: Int]

  /// Fails unless a file that begins with `names` has all that is `needed` of what is called `file`.
  init(_ names: [String], needed: [String], of file: String) throws(InputError) {
    self.names = names
    places = Dictionary(zip(names, names.indices)) { first, _ in first }
    if let missing = needed.first(where: { places[$0] == nil }) {
      throw InputError("is no \(file): it has no column '\(missing)'")
    }
  }

  /// Fails unless a line has as many fields as the header.
  func require(_ fields: [String]) throws(InputError) {
    guard fields.count != names.count else { return }
    throw InputError(
      "the row has \(fields.count) fields where the header has \(names.count); is it cut off?")
  }

  /// Where the column called `name` stands, if there is one.
  func place(_ name: String) -> Int? { places[name] }

  func has(_ name: String) -> Bool { places[name] != nil }

  /// The field in the column called `name`; empty where there is none.
  func text(_ fields: [String], _ name: String) -> String {
    places[name].map { fields[$0] } ?? ""
  }

  func text(_ fields: [String], _ key: RunKey) -> String { text(fields, key.name) }
}
