internal import FrameBudget
internal import FrameBudgetParsing

/// Replays a user flow on a page, with the browser's own events of mouse and keyboard.
struct FlowPlayer {
  let browser: Browser
  let flow: UserFlow

  /// The pause between two steps, as a person would make it.
  private static let pause = Duration.milliseconds(500)
  /// The time from a key of a text to the next. A person does not wait for the page.
  private static let typing = Duration.milliseconds(80)
  /// The number of elements that a step needs.
  private static let some = ">= 1"

  /// A step for errors, and the time that it waits for the page.
  private struct Place: CustomStringConvertible {
    let description: String
    let patience: Duration
    let deadline: ContinuousClock.Instant
  }

  /// Replays the flow. Calls `shows` with each step's number.
  func play(showing shows: (Int) -> Void) throws(ToolError) {
    for (place, step) in flow.steps.enumerated() {
      shows(place + 1)
      try play(
        step.action,
        Place(
          description: "step \(place + 1) of the flow", patience: step.patience,
          deadline: .now + step.patience))
      try pause(for: Self.pause)
    }
  }

  private func pause(for duration: Duration) throws(ToolError) {
    try pause(until: .now + duration)
  }

  private func pause(until end: ContinuousClock.Instant) throws(ToolError) {
    while ContinuousClock.now < end { try browser.receiveMessages() }
  }

  private func play(_ action: UserFlow.Action, _ place: Place) throws(ToolError) {
    switch action {
    case .viewport(let width, let height): try browser.resize(width: width, height: height)
    case .navigate(let url): _ = try browser.open(url, called: url)
    case .click(let target, let offset, let count, let button):
      let point = try point(of: target, offset, place)
      try mouse("mouseMoved", point)
      for number in 1...count {
        try mouse("mousePressed", point, button, number)
        try mouse("mouseReleased", point, button, number)
      }
    case .hover(let target): try mouse("mouseMoved", try point(of: target, nil, place))
    case .change(let target, let value): try change(target, to: value, place)
    case .key(let key, let isDown): try press(key, isDown)
    case .scroll(let target, let position):
      let element = target.map { "\(Self.all($0))[0]" } ?? "window"
      if let target { try require(target, place) }
      _ = try browser.evaluate("\(element).scrollTo(\(position.x), \(position.y))")
    case .waitForElement(let target, let comparison):
      try require(target, number: comparison, place)
    case .waitForExpression(let expression):
      try require(expression, isPromise: true, "its expression did not become true", place)
    }
  }

  // MARK: Elements

  /// A script whose value is the list of elements that the first successful alternative finds, `visible` ones only or all.
  private static func all(_ target: UserFlow.Target, visible: Bool = false) -> String {
    let alternatives = JSON.array(target.selectors.map { .array($0.map(JSON.text)) }).written()
    return """
      ((alternatives, onlyVisible) => {
        const counts = (one) => !onlyVisible ||
          one.getClientRects().length > 0 && getComputedStyle(one).visibility === "visible";
        const deep = (root, css) => [...root.querySelectorAll(css),
          ...[...root.querySelectorAll("*")].flatMap((inner) => inner.shadowRoot ? deep(inner.shadowRoot, css) : [])];
        const words = (element) => (element.getAttribute("aria-label") ?? element.textContent).trim();
        const innermost = (found) => found.filter((one) => !found.some((other) => other !== one && one.contains(other)));
        const find = (root, selector) => {
          const [, kind, rest] = selector.match(/^(xpath|text|aria|pierce)\\/(.*)$/s) ?? [null, "css", selector];
          switch (kind) {
            case "xpath": {
              const found = document.evaluate(rest, root, null, XPathResult.ORDERED_NODE_SNAPSHOT_TYPE);
              return Array.from({length: found.snapshotLength}, (_, place) => found.snapshotItem(place));
            }
            case "text": return innermost([...root.querySelectorAll("*")].filter((one) => words(one).includes(rest)));
            case "aria": {
              const name = rest.replace(/\\[role=.*\\]$/, "");
              return innermost([...root.querySelectorAll("*")].filter((one) => words(one) === name));
            }
            case "pierce": return deep(root, rest);
            default: return [...root.querySelectorAll(rest)];
          }
        };
        for (const chain of alternatives) {
          let roots = [document];
          for (const [place, selector] of chain.entries()) {
            const found = roots.flatMap((root) => find(root, selector));
            roots = place + 1 < chain.length ? found.map((one) => one.shadowRoot ?? one) : found;
          }
          const counted = roots.filter(counts);
          if (counted.length > 0) return counted;
        }
        return [];
      })(\(alternatives), \(visible))
      """
  }

  private static func firstVisible(_ target: UserFlow.Target) -> String {
    "\(all(target, visible: true))[0]"
  }

  private static func selectors(of target: UserFlow.Target) -> String {
    target.selectors.map { $0.joined(separator: " ") }.joined(separator: ", ").printable
  }

  private func require(
    _ target: UserFlow.Target, number comparison: String = Self.some, _ place: Place
  ) throws(ToolError) {
    let selectors = Self.selectors(of: target)
    let failure =
      comparison == Self.some
      ? "no element matches \(selectors)"
      : "the number of elements that match \(selectors) did not become \(comparison)"
    try require("\(Self.all(target)).length \(comparison)", failure, place)
  }

  /// A user acts on what is visible.
  private func requireVisible(_ target: UserFlow.Target, _ place: Place) throws(ToolError) {
    try require(target, place)
    try require(
      "\(Self.all(target, visible: true)).length > 0",
      "every element that matches \(Self.selectors(of: target)) is hidden", place)
  }

  /// Waits until a script is true; one that may be a promise is awaited.
  private func require(
    _ script: String, isPromise: Bool = false, _ failure: String, _ place: Place
  ) throws(ToolError) {
    while true {
      let value = try isPromise ? settled(script, by: place.deadline) : browser.evaluate(script)
      if value.flag == true { return }
      guard ContinuousClock.now < place.deadline else {
        throw ToolError(.badInput, "\(place): \(failure), after \(place.patience)")
      }
      try browser.receiveMessages()
    }
  }

  /// Whether an expression is true, or a promise of that by the deadline.
  private func settled(
    _ expression: String, by deadline: ContinuousClock.Instant
  ) throws(ToolError) -> JSON {
    func truth(of value: String) -> String { "(async () => Boolean(await \(value)))()" }
    let limit = deadline - ContinuousClock.now
    let value = try browser.evaluate(truth(of: "(\(expression))"), within: limit)
    if let value { return value }
    // An open promise is not true, but the page may only have computed for long. One that is lost does not answer this either.
    return try browser.evaluate(truth(of: "Promise.race([(\(expression)), false])"))
  }

  private func point(
    of target: UserFlow.Target, _ offset: UserFlow.Offset?, _ place: Place
  ) throws(ToolError) -> UserFlow.Offset {
    try requireVisible(target, place)
    let box = try browser.evaluate(
      """
      ((element) => {
        element.scrollIntoView({block: "nearest", inline: "nearest"});
        const box = element.getBoundingClientRect();
        return [box.left, box.top, box.width, box.height];
      })(\(Self.firstVisible(target)))
      """
    ).elements.map { $0.real ?? 0 }
    guard box.count == 4 else { throw ToolError(.badInput, "\(place): its element is gone") }
    let inner = offset ?? UserFlow.Offset(x: box[2] / 2, y: box[3] / 2)
    return UserFlow.Offset(x: box[0] + inner.x, y: box[1] + inner.y)
  }

  // MARK: Events

  private func mouse(
    _ kind: String, _ point: UserFlow.Offset, _ button: String = "none", _ count: Int = 0
  ) throws(ToolError) {
    try browser.call(
      "Input.dispatchMouseEvent",
      [
        ("type", .text(kind)), ("x", .number("\(point.x)")), ("y", .number("\(point.y)")),
        ("button", .text(button)), ("clickCount", .number("\(count)")),
      ])
  }

  /// Types into a field; sets the value of other elements, such as lists.
  private func change(
    _ target: UserFlow.Target, to value: String, _ place: Place
  ) throws(ToolError) {
    try requireVisible(target, place)
    let isTyped = try browser.evaluate(
      """
      ((element, value) => {
        element.focus();
        if (element.isContentEditable) { getSelection().selectAllChildren(element); return true; }
        if (element.tagName === "TEXTAREA" || /^(text|search|email|tel|url|password|number)$/.test(element.type)) {
          element.select();
          return true;
        }
        element.value = value;
        for (const kind of ["input", "change"]) element.dispatchEvent(new Event(kind, {bubbles: true}));
        return false;
      })(\(Self.firstVisible(target)), \(OutputContext.json.escaped(value)))
      """)
    guard let isTyped = isTyped.flag else {
      throw ToolError(.badInput, "\(place): its element is gone")
    }
    guard isTyped else { return }
    // The previous text is selected.
    try press("Delete", true)
    try press("Delete", false)
    var due = ContinuousClock.now
    for letter in value {
      let key = letter.isNewline ? "Enter" : String(letter)
      try press(key, true)
      try press(key, false)
      due += Self.typing
      try pause(until: due)
    }
  }

  private func press(_ key: String, _ isDown: Bool) throws(ToolError) {
    let text = key == "Enter" ? "\r" : key.count == 1 ? key : ""
    var event: [(name: String, value: JSON)] = [
      ("type", .text(isDown ? "keyDown" : "keyUp")), ("key", .text(key)),
      ("windowsVirtualKeyCode", .number("\(Self.code(of: key))")),
    ]
    if isDown, !text.isEmpty { event.append(("text", .text(text))) }
    try browser.call("Input.dispatchKeyEvent", event)
  }

  private static func code(of key: String) -> Int {
    let named = [
      "Backspace": 8, "Tab": 9, "Enter": 13, "Shift": 16, "Control": 17, "Alt": 18, "Escape": 27,
      " ": 32, "PageUp": 33, "PageDown": 34, "End": 35, "Home": 36, "ArrowLeft": 37, "ArrowUp": 38,
      "ArrowRight": 39, "ArrowDown": 40, "Delete": 46, "Meta": 91,
    ]
    if let code = named[key] { return code }
    // Letters and digits have the codes of ASCII's capitals.
    let scalar = key.uppercased().unicodeScalars.first { _ in key.count == 1 }
    guard let scalar, ("0"..."9").contains(scalar) || ("A"..."Z").contains(scalar) else { return 0 }
    return Int(scalar.value)
  }
}
