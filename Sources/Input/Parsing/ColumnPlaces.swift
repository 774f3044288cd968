/// The positions of a file's columns, because readers find columns by name.
package struct ColumnPlaces: Sendable {
  package let names: [String]
  private let places: [String: Int]

  /// Throws unless the columns `names` include all of `needed`; `file` is the kind of file.
  package init(_ names: [String], needed: [String], of file: String) throws(InputError) {
    self.names = names
    places = Dictionary(zip(names, names.indices)) { first, _ in first }
    if let missing = needed.first(where: { places[$0] == nil }) {
      throw InputError("is not a \(file): it has no column '\(missing)'")
    }
  }

  /// Throws unless a line has as many fields as the header.
  package func require(_ count: Int) throws(InputError) {
    guard count != names.count else { return }
    throw InputError(
      "the row has \(count) fields where the header has \(names.count); is it cut off?")
  }

  /// The position of the column `name`, if it exists.
  package func place(_ name: String) -> Int? { places[name] }

  package func has(_ name: String) -> Bool { places[name] != nil }

  /// The field in the column `name`; empty if the column does not exist.
  package func text(_ fields: [String], _ name: String) -> String {
    places[name].map { fields[$0] } ?? ""
  }
}
