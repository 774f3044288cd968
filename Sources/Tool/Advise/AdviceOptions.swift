internal import Advice
internal import ArgumentParser
internal import FrameBudget
internal import Proving

/// What is to be reached, and what may change.
struct AdviceOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "What is to be reached, instead of what the scenario says.",
      valueName: "metric<=value[,...]"))
  var aim: [String] = []

  @Option(
    help: ArgumentHelp(
      "A service that cannot move: main, lane, lock, a lane of today's; where it is, if not said.",
      valueName: "service[=home][,...]"))
  var keep: [String] = []

  @Option(
    help: ArgumentHelp(
      "Carriers that new lanes may be on, and strategies that may be taken whole.",
      valueName: "name[,...]"))
  var within: [String] = []

  @Option(
    parsing: .unconditional, help: "How many services may move.", transform: WholeNumber.moves)
  var mostMoved: Int?

  @Option(
    parsing: .unconditional, help: "How many lanes services may live on beside main.",
    transform: WholeNumber.lanes)
  var lanes: Int?

  @Option(
    help: ArgumentHelp(
      "What changes count: moved, lane, lock, policy, split.", valueName: "kind=n[,...]"))
  var weights: [String] = []

  @Flag(help: "Prefer what is proven to drop no frame, whatever the phases.")
  var prove = false

  /// `request` with all of it.
  func applied(to request: AdviceRequest) throws(ToolError) -> AdviceRequest {
    var request = request
    if !aim.isEmpty { request.aims = try aims() }
    request.weights = try changedWeights()
    request.mostMoved = mostMoved
    request.mostLanes = lanes
    if prove {
      request.isProven = { [scenario = request.scenario, costs = request.costs] arrangement in
        FrameBound(scenario, under: arrangement, costs: costs).isKept
      }
    }
    for text in Self.parts(keep) {
      let (name, home) = try kept(text, in: request)
      request.kept[name] = home
    }
    try limit(&request)
    return request
  }

  private static func parts(_ lists: [String]) -> [String] {
    lists.flatMap { $0.split(separator: ",").map { String($0.trimmed) } }
  }

  // MARK: What is to be reached

  private func aims() throws(ToolError) -> [Aim] {
    try Self.parts(aim).map { text throws(ToolError) in try Aim(text, of: "--aim") }
  }

  // MARK: What may change

  private func changedWeights() throws(ToolError) -> ChangeWeights {
    var weights = ChangeWeights()
    for text in Self.parts(self.weights) {
      let parts = text.split(separator: "=").map { String($0.trimmed) }
      guard parts.count == 2, let kind = ChangeWeights.Kind(rawValue: parts[0]),
        let value = Int(parts[1]),
        ChangeWeights.allowed.contains(value)
      else {
        let names = ChangeWeights.Kind.allCases.map(\.rawValue).joined(separator: ", ")
        throw ToolError(
          .usage,
          "--weights '\(text)' is no weight; allowed are \(names), each =N from "
            + "\(ChangeWeights.allowed.lowerBound) to \(ChangeWeights.allowed.upperBound)")
      }
      weights[kind] = value
    }
    return weights
  }

  private func kept(
    _ text: String, in request: AdviceRequest
  ) throws(ToolError) -> (name: String, home: KeptHome) {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      .map { String($0.trimmed) }
    let names = request.scenario.services.map { $0.fileName }
    guard let name = parts.first, names.contains(name) else {
      let remedy = Spelling.suggestion(for: parts.first ?? "", among: names)
      throw ToolError(.usage, "--keep '\(text)': '\(parts.first ?? "")' is not a service\(remedy)")
    }
    guard parts.count == 2 else { return (name, .today) }
    switch parts[1] {
    case "main": return (name, .main)
    case "lane": return (name, .anyLane)
    case "lock": return (name, .lock)
    default:
      let lanes = request.today.arrangement.lanes
      if let lane = lanes.firstIndex(where: { $0.name == parts[1] }) { return (name, .lane(lane)) }
      let remedy = Spelling.suggestion(
        for: parts[1], among: ["main", "lane", "lock"] + lanes.dropFirst().map(\.name))
      throw ToolError(.usage, "--keep '\(text)': '\(parts[1])' is no place\(remedy)")
    }
  }

  /// Carriers are what new lanes may be on; strategies are taken whole, and without a carrier nothing else is.
  private func limit(_ request: inout AdviceRequest) throws(ToolError) {
    let names = Self.parts(within)
    guard !names.isEmpty else { return }
    var carriers: [CarrierKind] = []
    for name in names {
      if let carrier = CarrierKind(rawValue: name), carrier != .main {
        carriers.append(carrier)
        continue
      }
      let lists = CarrierKind.allCases.map(\.rawValue) + StrategyCatalog.all.map(\.name)
      guard StrategyCatalog.named(name) != nil else {
        let remedy = Spelling.suggestion(for: name, among: lists.filter { $0 != "main" })
        throw ToolError(.usage, "--within: '\(name)' is neither a carrier nor a strategy\(remedy)")
      }
      do {
        request.strategies.append(try StrategyCatalog.strategy(name, for: request.scenario))
      } catch {
        throw ToolError(.usage, "--within: \(error)")
      }
    }
    if carriers.isEmpty { request.placesServices = false } else { request.carriers = carriers }
  }
}
