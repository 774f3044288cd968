extension ScreenCase {
  /// The case as a scenario file, to be run by the tool: each lane has one service, which the steps there are on.
  var yaml: String {
    var lines = ["scenario: screen", "display:"] + display.map { "  " + $0 }
    let pools = widths.isEmpty ? "" : ", pools: off"
    lines += ["duration: \(Self.text(duration))", "machine: {cores: \(threads)\(pools)}"]
    let services = (0...lanes).map { lane in
      "\(Self.service(lane)): {\(width(lane) > 1 ? "exclusive: false" : "")}"
    }
    lines.append("services: {\(services.joined(separator: ", "))}")
    if !resources.isEmpty {
      let all = resources.enumerated().map { "resource-\($0): {parallel: \($1)}" }
      lines.append("resources: {\(all.joined(separator: ", "))}")
    }
    if !workloads.isEmpty { lines.append("workloads:") }
    for (place, workload) in workloads.enumerated() { lines += Self.lines(place, workload) }
    if !ui.isEmpty { lines.append("ui: {\(ui.joined(separator: ", "))}") }
    return (lines + strategies).joined(separator: "\n") + "\n"
  }

  private var ui: [String] {
    let reads = reads.map { "{service: \(Self.service($0.lane)), cpu: \(Self.text($0.cost))}" }
    let parts = parts.enumerated().map { place, part in
      // A file cannot list recorded costs, so the name of the column does.
      let costs = part.costs.map(Self.text).joined(separator: " ")
      let ahead = part.early > 0 ? ", ahead: \(part.early)" : ""
      let unit = part.unit.map { ", unit: \(Self.text($0))" } ?? ""
      return "{name: part-\(place), cpu: {recorded: parts.csv, column: \(costs)}\(ahead)\(unit)}"
    }
    return (reads.isEmpty ? [] : ["reads: [\(reads.joined(separator: ", "))]"])
      + (parts.isEmpty ? [] : ["frame: [\(parts.joined(separator: ", "))]"])
  }

  private var display: [String] {
    let rate = perSeconds == 1 ? "\(vsyncs)" : "59.94"
    var lines = ["refresh: \(rate) Hz", "render: \(Self.text(render))", "deadline: \(deadline)"]
    if let buffers { lines.append("buffers: \(buffers)") }
    if let compositor { lines.append("compositor: \(Self.text(compositor))") }
    if loop != .frame {
      lines.append("frames: \(isOnDemand ? demand : "always")")
      let order = loop == .events ? "first" : "\(loop)"
      let waiting = deferral.map { ", defer-after-input: \(Self.text($0))" } ?? ""
      lines.append(
        "main-loop: {events: \(order), batch: \(isQueued ? "queued" : "one")\(waiting)}")
      lines.append("frame-time: \(frameTime)")
    }
    return lines
  }

  private var demand: String {
    let instants = requests.map(Self.text).joined(separator: ", ")
    return requests.isEmpty ? "on-demand" : "{on-demand: [\(instants)]}"
  }

  private static func lines(_ place: Int, _ workload: Workload) -> [String] {
    let arrivals = workload.arrivals.map(text).joined(separator: ", ")
    var lines = ["  - name: items-\(place)", "    arrival: {at: [\(arrivals)]}", "    steps:"]
    lines += workload.steps.map { step in
      var keys = ["service: \(service(step.lane))", "cpu: \(text(step.cost))"]
      if step.isFork { keys.append("await: false") }
      if step.joins { keys.append("join: true") }
      if step.repeats > 1 { keys.append("repeat: \(step.repeats)") }
      if let slice = step.slice { keys.append("slices: \(text(slice))") }
      if step.answers { keys.append("answers: true") }
      if let wait = step.suspension {
        let limited = wait.resource.map { "{on: resource-\($0), for: \(text(wait.span))}" }
        keys.append("suspend: \(limited ?? text(wait.span))")
      }
      return "      - {\(keys.joined(separator: ", "))}"
    }
    if workload.result > 0 { lines.append("    result: {cpu: \(text(workload.result))}") }
    if workload.draws { lines.append("    draws: true") }
    if workload.isTimer { lines.append("    timer: true") }
    if workload.isInput { lines.append("    input: true") }
    switch workload.newest {
    case nil: break
    case .latest: lines.append("    admission: latest")
    case .debounce(let span): lines.append("    admission: {debounce: \(text(span))}")
    case .throttle(let span): lines.append("    admission: {throttle: \(text(span))}")
    }
    return lines
  }

  private var strategies: [String] {
    let others = 1..<max(1, lanes + 1)
    var lines = ["strategies:", "  - as: drawn"]
    if lanes > 0 {
      let lanes = others.map { lane in
        let carrier = width(lane) > 1 ? "dispatch, width: \(width(lane))" : "scheduler"
        return "lane-\(lane): {carrier: \(carrier)}"
      }.joined(separator: ", ")
      let homes = others.map { "\(Self.service($0)): lane-\($0)" }.joined(separator: ", ")
      lines += ["    lanes: {\(lanes)}", "    services: {\(homes)}"]
    }
    if reads.contains(where: { $0.lane > 0 }) { lines.append("    reads: {snapshot: per-step}") }
    let drain = drain.map { "{drain: \(Self.text($0))}" }
    lines.append("    results: \(drain ?? (coalesces ? "coalesced" : "in-place"))")
    let moved = parts.enumerated().filter {
      $0.element.early > 0 || $0.element.hits > 0 || $0.element.budget != nil
        || $0.element.lane != nil
    }.map { place, part in
      if let lane = part.lane {
        return "part-\(place): {prepare: {lane: lane-\(lane), frames: \(part.early)}}"
      }
      if let budget = part.budget {
        return "part-\(place): {spread: {budget: \(Self.text(budget))}}"
      }
      if part.hits > 0 { return "part-\(place): {cache: {hits: \(part.hits) %}}" }
      let estimate = part.isExact ? "exact" : "learned"
      return "part-\(place): {prefetch: {frames: \(part.early), estimate: \(estimate)}}"
    }
    if !moved.isEmpty { lines.append("    frame: {\(moved.joined(separator: ", "))}") }
    if later > 0 { lines.append("    present: {later: \(later)}") }
    if let yield {
      let every = yield.every.map(Self.text) ?? "step"
      let resumes = yield.resumesFirst ? "first" : "in-turn"
      lines.append("    yield: {every: \(every), resumes: \(resumes)}")
    }
    return lines
  }

  private static func service(_ lane: Int) -> String { lane == 0 ? "main" : "service-\(lane)" }

  /// Milliseconds with all necessary digits.
  private static func text(_ span: Int64) -> String {
    let rest = span % 1_000_000
    guard rest > 0 else { return "\(span / 1_000_000) ms" }
    var digits = "\(rest + 1_000_000)".dropFirst()
    while digits.last == "0" { digits.removeLast() }
    return "\(span / 1_000_000).\(digits) ms"
  }
}
