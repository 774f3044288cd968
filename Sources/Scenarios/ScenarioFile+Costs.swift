public import FrameBudget

extension ScenarioFile {
  /// What a step is to cost: workloads by their names in the file, steps by their places.
  public struct StepCost: Hashable, Sendable {
    public let workload: String
    public let step: Int
    public let cpu: TimeSpan

    public init(workload: String, step: Int, cpu: TimeSpan) {
      self.workload = workload
      self.step = step
      self.cpu = cpu
    }
  }

  /// The text of a scenario with the `cpu` of some of its steps replaced; all else, comments too, stays as it is.
  public static func text(
    of bytes: [UInt8], file: String, with costs: [StepCost]
  ) throws(ScenarioError) -> String {
    let source = try SourceText(bytes, file: file)
    let root = try YAMLReader.root(of: source, allowed: "a scenario begins with 'scenario: NAME'")
    var changes: [(range: Range<String.Index>, text: String)] = []
    for cost in costs {
      guard let place = root.cpu(of: cost) else { preconditionFailure("a step of the scenario") }
      changes.append((try source.value(at: place), cost.cpu.description))
    }
    var text = source.text
    // From the end, so that the places before stay what they are.
    for change in changes.sorted(by: { $0.range.lowerBound > $1.range.lowerBound }) {
      text.replaceSubrange(change.range, with: change.text)
    }
    return text
  }
}

extension SourceNode {
  fileprivate func cpu(of cost: ScenarioFile.StepCost) -> Position? {
    let step = self["workloads"]?[named: cost.workload]?["steps"]?[cost.step]
    guard case .file(let place)? = step?["cpu"]?.origin else { return nil }
    return place
  }

  private subscript(key: String) -> SourceNode? { pairs?.first { $0.key == key }?.value }

  private subscript(named name: String) -> SourceNode? {
    guard case .sequence(let items) = content else { return nil }
    return items.first { $0["name"]?.text == name }
  }

  private subscript(place: Int) -> SourceNode? {
    guard case .sequence(let items) = content, items.indices.contains(place) else { return nil }
    return items[place]
  }
}

extension SourceText {
  /// Where the value that begins at `place` stands: a plain or quoted one, or a `{…}`.
  fileprivate func value(at place: Position) throws(ScenarioError) -> Range<String.Index> {
    let scalars = text.unicodeScalars
    let start = index(of: place)
    let rest = scalars[start...]
    let line = rest.prefix { !Position.endsLine($0, after: nil) }
    var end: String.Index?
    switch rest.first {
    case "'", "\"":
      end = line.dropFirst().firstIndex(of: rest.first ?? "'").map(scalars.index(after:))
    case "{":
      end = line.firstIndex(of: "}", closing: "{").map(scalars.index(after:))
    default:
      let plain = line.prefix { !",}]#".unicodeScalars.contains($0) }
      // A block's first key, on a line of its own, is no value that can be replaced in place.
      if !plain.contains(":") { end = plain.lastIndex { $0 != " " }.map(scalars.index(after:)) }
    }
    guard let end else {
      throw error("this cpu takes several lines; allowed is one, such as 'cpu: 1 ms'", at: place)
    }
    return start..<end
  }

  private func index(of place: Position) -> String.Index {
    var position = Position.start
    var previous: Unicode.Scalar?
    for index in text.unicodeScalars.indices {
      if position == place && text.unicodeScalars[index] != "\n" { return index }
      position.advance(over: text.unicodeScalars[index], after: previous)
      previous = text.unicodeScalars[index]
    }
    return text.endIndex
  }
}

extension Substring.UnicodeScalarView {
  /// Where the bracket is that closes the first one.
  fileprivate func firstIndex(of close: Unicode.Scalar, closing open: Unicode.Scalar) -> Index? {
    var depth = 0
    for index in indices {
      if self[index] == open { depth += 1 }
      if self[index] == close { depth -= 1 }
      if depth == 0 { return index }
    }
    return nil
  }
}
