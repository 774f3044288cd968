public import FrameBudget

/// The mechanisms that a real engine can start lanes on: those of this module, and what others add.
public struct CarrierSupply: Sendable {
  private var added: [CarrierKind: any Carrier.Type] = [:]

  /// Those of this module.
  public init() {}

  /// With one more, of another module.
  public func adding(_ kind: CarrierKind, _ carrier: any Carrier.Type) -> CarrierSupply {
    var all = self
    all.added[kind] = carrier
    return all
  }

  /// What lanes can run on, in the order of the catalogue.
  public var kinds: [CarrierKind] { CarrierKind.allCases.filter { carrier(of: $0) != nil } }

  /// Why `arrangement` cannot run: its first lane on a mechanism that is missing here; nil if there is none.
  public func lack(for arrangement: Arrangement) -> CarrierError? {
    arrangement.lanes.dropFirst().lazy.compactMap { lack(of: $0.carrier) }.first
  }

  /// Why no lane can be on `kind`; nil if it can.
  public func lack(of kind: CarrierKind) -> CarrierError? {
    carrier(of: kind) == nil ? .no(kind) : nil
  }

  /// Starts a lane.
  func start(_ lane: Lane) throws(CarrierError) -> any Carrier {
    precondition(lane.carrier != .main, "the frame loop is the main lane's carrier")
    guard let carrier = carrier(of: lane.carrier) else { throw .no(lane.carrier) }
    return try carrier.init(lane)
  }

  private func carrier(of kind: CarrierKind) -> (any Carrier.Type)? { added[kind] ?? kind.carrier }
}

extension CarrierError {
  /// A carrier that no module of the build brings; only SwiftNIO's can be left out.
  fileprivate static func no(_ kind: CarrierKind) -> CarrierError {
    CarrierError(
      "this build has no carrier '\(kind.rawValue)'; to build one that has it: "
        + "make install TRAITS=NIO, or swift build --traits NIO")
  }
}
