/// Gathers what is wrong with a file, whatever the order in which decoding meets it.
final class Faults {
  private struct Fault: Hashable {
    let message: String
    let origin: Origin
  }

  private var all: [Fault] = []

  var isEmpty: Bool { all.isEmpty }

  /// How many there are so far: a part of the file is sound if none was added while it was decoded.
  var count: Int { all.count }

  func record(_ message: String, at origin: Origin) {
    all.append(Fault(message: message, origin: origin))
  }

  /// Throws what was gathered, each fault once: in the order of the file, then those of flags.
  func check(in source: SourceText) throws(ScenarioError) {
    var seen = Set<Fault>()
    let faults = inOrder.filter { seen.insert($0).inserted }
    if faults.isEmpty { return }
    let shown = faults.prefix(Limits.shownFaults)
    throw ScenarioError(shown.map { fault($0, in: source) }, omitted: faults.count - shown.count)
  }

  private var inOrder: [Fault] {
    all.enumerated().sorted { one, other in
      if one.element.origin.precedes(other.element.origin) { return true }
      if other.element.origin.precedes(one.element.origin) { return false }
      return one.offset < other.offset
    }.map(\.element)
  }

  private func fault(_ fault: Fault, in source: SourceText) -> ScenarioError.Fault {
    switch fault.origin {
    case .file(let position): source.fault(fault.message, at: position)
    case .path(let override): ScenarioError.Fault(fault.message, at: override.pathPlace)
    case .value(let override): ScenarioError.Fault(fault.message, at: override.valuePlace)
    }
  }
}
