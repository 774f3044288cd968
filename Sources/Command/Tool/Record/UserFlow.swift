internal import FrameBudget
internal import FrameBudgetParsing

/// The actions of a user on a page, as DevTools' Recorder exports them.
struct UserFlow {
  struct Step {
    let action: Action
    /// The time that it waits for the page.
    let patience: Duration
  }

  enum Action: Equatable {
    case viewport(width: Int, height: Int)
    case navigate(url: String)
    /// `offset` is from the element's top left corner; nil means its middle.
    case click(on: Target, offset: Offset?, count: Int, button: String)
    case hover(over: Target)
    case change(of: Target, to: String)
    case key(String, isDown: Bool)
    /// To a position in pixels, of an element or, without one, of the page.
    case scroll(Target?, to: Offset)
    /// Until as many elements as `comparison` wants are there, such as `>= 2`.
    case waitForElement(Target, comparison: String)
    case waitForExpression(String)
  }

  /// Alternatives, of which the first that finds an element is used; each leads through shadow roots.
  struct Target: Equatable {
    var selectors: [[String]]
  }

  struct Offset: Equatable {
    var x: Double
    var y: Double
  }

  /// The steps after the page is loaded. A leading `navigate` is omitted, because PAGE replaces its address.
  let steps: [Step]
  let viewport: (width: Int, height: Int)?
  /// Addresses that steps open, with the number of the step.
  var addresses: [(step: Int, url: String)] {
    var addresses: [(step: Int, url: String)] = []
    for (place, step) in steps.enumerated() {
      if case .navigate(let url) = step.action { addresses.append((place + 1, url)) }
    }
    return addresses
  }
  /// The largest width and height that the page gets; nil if the flow gives it no size.
  var largestViewport: (width: Int, height: Int)? {
    var largest = viewport
    for case .viewport(let width, let height) in steps.map(\.action) {
      largest = (max(width, largest?.width ?? 0), max(height, largest?.height ?? 0))
    }
    return largest
  }

  private static let types = [
    "setViewport", "navigate", "click", "doubleClick", "hover", "change", "keyDown", "keyUp",
    "scroll",
    "waitForElement", "waitForExpression",
  ]

  init(parsing bytes: [UInt8]) throws(InputError) {
    let flow = try JSON(parsing: bytes)
    let patience = try Self.patience(flow) ?? .seconds(5)
    var steps: [Step] = []
    for (number, step) in flow["steps"].elements.enumerated() {
      let place = "step \(number + 1)"
      let action = try Self.action(step, place)
      steps.append(
        Step(action: action, patience: try Self.patience(step, "\(place): ") ?? patience))
    }
    guard !steps.isEmpty else {
      throw InputError("has no steps; DevTools' Recorder exports a flow as JSON with 'steps'")
    }
    var viewport: (width: Int, height: Int)?
    var isBefore = true
    self.steps = steps.filter { step in
      switch step.action {
      case .viewport(let width, let height) where isBefore: viewport = (width, height)
      case .navigate where isBefore: isBefore = false
      default:
        isBefore = false
        return true
      }
      return false
    }
    self.viewport = viewport
  }

  /// The time limit of a flow or a step; nil if it has none.
  private static func patience(
    _ timed: JSON, _ place: String = ""
  ) throws(InputError) -> Duration? {
    let timeout = timed["timeout"]
    if timeout.isNull { return nil }
    guard let milliseconds = timeout.whole else {
      throw InputError("\(place)'timeout' is not a number of milliseconds")
    }
    return .milliseconds(min(max(milliseconds, 1), 60_000))
  }

  private static func action(_ step: JSON, _ place: String) throws(InputError) -> Action {
    let type = step["type"].text ?? ""
    try refuseUnsupported(step, place)
    switch type {
    case "setViewport":
      return .viewport(
        width: try size(step["width"], "width", " of pixels", place),
        height: try size(step["height"], "height", " of pixels", place))
    case "navigate": return .navigate(url: try text(step["url"], "url", place))
    case "click", "doubleClick":
      return .click(
        on: try target(step, place), offset: try offset(step, ("offsetX", "offsetY"), place),
        count: type == "click" ? 1 : 2, button: try button(step["button"], place))
    case "hover": return .hover(over: try target(step, place))
    case "change":
      return .change(of: try target(step, place), to: try text(step["value"], "value", place))
    case "keyDown", "keyUp":
      return .key(try text(step["key"], "key", place), isDown: type == "keyDown")
    case "scroll":
      let position = try offset(step, ("x", "y"), place) ?? Offset(x: 0, y: 0)
      return .scroll(
        step["selectors"].elements.isEmpty ? nil : try target(step, place), to: position)
    case "waitForElement":
      return .waitForElement(
        try target(step, place), comparison: try comparison(step, place))
    case "waitForExpression":
      return .waitForExpression(try text(step["expression"], "expression", place))
    default:
      let remedy = Spelling.suggestion(for: type, among: types)
      throw InputError("\(place): \(InputError.quoted(type)) is not supported\(remedy)")
    }
  }

  /// A step that would act on something else than the user's is an error.
  private static func refuseUnsupported(_ step: JSON, _ place: String) throws(InputError) {
    if !step["frame"].elements.isEmpty {
      throw InputError("\(place): 'frame' is not supported: steps act on the page itself")
    }
    if let target = step["target"].text, target != "main" {
      throw InputError("\(place): 'target' is not supported: steps act on the page itself")
    }
    let unknown = ["visible", "properties", "attributes"].first { !step[$0].isNull }
    if let unknown { throw InputError("\(place): '\(unknown)' is not supported") }
  }

  /// What the number of elements is compared with; by default at least one.
  private static func comparison(_ step: JSON, _ place: String) throws(InputError) -> String {
    let name = step["operator"].isNull ? ">=" : step["operator"].text ?? ""
    guard [">=", "==", "<="].contains(name) else {
      throw InputError("\(place): \(InputError.quoted(name)) is not an operator; use >=, == or <=")
    }
    let count = step["count"]
    let least = name == ">=" ? 1 : 0
    return "\(name) \(count.isNull ? 1 : try size(count, "count", "", place, least: least))"
  }

  private static func text(
    _ value: JSON, _ name: String, _ place: String
  ) throws(InputError) -> String {
    guard let text = value.text else { throw InputError("\(place): '\(name)' is missing") }
    return text
  }

  private static func size(
    _ value: JSON, _ name: String, _ unit: String, _ place: String, least: Int = 1
  ) throws(InputError) -> Int {
    guard let size = value.whole, (least...10_000).contains(size) else {
      throw InputError("\(place): '\(name)' is not a number\(unit) from \(least) to 10000")
    }
    return size
  }

  /// The limit for coordinates, in pixels.
  private static let farthest = 100_000_000.0

  /// Nil if neither coordinate is given; if only one is given, the other is 0.
  private static func offset(
    _ step: JSON, _ names: (x: String, y: String), _ place: String
  ) throws(InputError) -> Offset? {
    func pixels(_ name: String) throws(InputError) -> Double? {
      if step[name].isNull { return nil }
      guard let number = step[name].real, number.magnitude <= farthest else {
        throw InputError("\(place): '\(name)' is not a number of pixels")
      }
      return number
    }
    let (x, y) = (try pixels(names.x), try pixels(names.y))
    return x == nil && y == nil ? nil : Offset(x: x ?? 0, y: y ?? 0)
  }

  private static func button(_ value: JSON, _ place: String) throws(InputError) -> String {
    let names = ["primary": "left", "auxiliary": "middle", "secondary": "right"]
    let name = value.text ?? "primary"
    guard let button = names[name] else {
      throw InputError("\(place): \(InputError.quoted(name)) is not a mouse button")
    }
    return button
  }

  private static func target(_ step: JSON, _ place: String) throws(InputError) -> Target {
    let selectors = step["selectors"].elements.map { alternative in
      alternative.text.map { [$0] } ?? alternative.elements.compactMap(\.text)
    }.filter { !$0.isEmpty }
    guard !selectors.isEmpty else { throw InputError("\(place): 'selectors' is missing") }
    return Target(selectors: selectors)
  }
}
