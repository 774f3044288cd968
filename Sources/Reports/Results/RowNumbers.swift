internal import FrameBudget

/// The numbers of a row by the names of their columns.
///
/// All rows of a file share the names: a dictionary for each row would take longer to make than to read the file.
struct RowNumbers: Sendable {
  private let names: Names
  /// Nil where the cell is empty.
  private let values: [Double?]

  init(_ values: [Double?], in names: Names) {
    precondition(values.count == names.count, "a number or none for each column")
    (self.names, self.values) = (names, values)
  }

  /// Of a row that is in no file.
  init(_ numbers: [String: Double]) {
    let names = Array(numbers.keys)
    self.init(names.map { numbers[$0] }, in: Names(names))
  }

  /// Nil where the cell is empty, and where there is no such column.
  subscript(name: String) -> Double? { names.place(name).flatMap { values[$0] } }

  /// The number called `name`, and whether it is only known to be at least so much.
  func observed(_ name: String) -> Observation? {
    guard let place = names.place(name), let value = values[place] else { return nil }
    return Observation(value, isBound: names.bound(of: place).map { values[$0] == 1 } ?? false)
  }

  /// What each of `rows` says of `name`, where it says anything. Rows of one file are asked once where that stands.
  static func observed(_ name: String, in rows: [Self]) -> [Observation] {
    var columns: (names: Names, place: Int?, bound: Int?)?
    return rows.indices.compactMap { row in
      let names = rows[row].names
      if columns?.names !== names {
        let place = names.place(name)
        columns = (names, place, place.flatMap(names.bound))
      }
      guard let place = columns?.place, let value = rows[row].values[place] else { return nil }
      return Observation(value, isBound: columns?.bound.map { rows[row].values[$0] == 1 } ?? false)
    }
  }

  /// The names of columns, each with its place and that of the column that says whether it is a bound. A class, because
  /// every row of a file has them.
  final class Names: Sendable {
    private let places: [String: Int]
    private let bounds: [Int?]

    /// Of several columns with one name the first is meant.
    init(_ names: [String]) {
      let places = Dictionary(zip(names, names.indices)) { first, _ in first }
      bounds = names.map { places[Metric.bound(of: $0)] }
      self.places = places
    }

    var count: Int { bounds.count }

    func place(_ name: String) -> Int? { places[name] }

    func bound(of place: Int) -> Int? { bounds[place] }
  }
}
