public import FrameBudget

/// A request of the user to the source of the view.
public enum Command: Hashable, Sendable {
  /// Stop what runs and run these strategies, by their places in the list, at this refresh rate.
  case start([Int], RefreshRate, EngineKind)
  /// Let this number of items arrive now.
  case add(Int)
  /// Continue to the end of the next frame, then pause.
  case step
  /// Run the current strategy beside the recommended one, which is not known yet.
  case compare
  /// Search for the smallest change after which nothing hangs, and run it.
  case advise
  /// Record the attached app, and learn from the recording.
  case record
  /// Write the frames of the run to a file.
  case save
  case quit
}

/// A pressed key, or another event of the terminal.
public enum Key: Hashable, Sendable {
  case character(Unicode.Scalar)
  case up, down, left, right, enter, escape, tab, backspace, other
  case pageUp, pageDown
  /// The mouse's first button, on a cell of the screen.
  case click(column: Int, row: Int)
  case wheelUp, wheelDown
  case resized
  /// The process was stopped (Ctrl-Z) and has resumed.
  case resumed
  /// The terminal is gone.
  case hungUp
}

/// A key of the view: its action, when it applies, its line of help and its hints in the last row.
struct KeyBinding: Sendable {
  let keys: Set<Key>
  /// Whether it does anything now; otherwise the key is passed to the next binding that has it.
  var applies: @Sendable (LiveModel) -> Bool = { _ in true }
  /// Whether it changes what runs: a recorded run has already run.
  var changesRun = false
  /// Its line of help: the name of the key, and what it does. Nil for a key that another line mentions.
  var help: (keys: String, action: String)?
  /// Its hints in the last row.
  var hints: [Hint] = []
  /// Performs the action; returns a command for the source of the view.
  let act: @Sendable (inout LiveModel, Key) -> Command?

  /// A hint at a key in the last row; `Place` orders them by importance.
  struct Hint: Sendable {
    enum Place: CaseIterable {
      case first, inspecting, page, selecting, sideBySide, engine, time, last
    }

    let place: Place
    let keys: String
    /// What the key does; nil while the hint is not useful.
    let action: @Sendable (LiveModel, _ pages: Int) -> String?
  }

  /// The hints that are useful now, the most important first.
  static func hints(_ model: LiveModel, pages: Int) -> [(keys: String, action: String)] {
    let usable = all.filter { !$0.changesRun || model.engine != nil }.flatMap(\.hints)
    return Hint.Place.allCases.flatMap { place in
      usable.filter { $0.place == place }.compactMap { hint in
        hint.action(model, pages).map { (hint.keys, $0) }
      }
    }
  }

  private static func characters(_ text: String) -> Set<Key> {
    Set(text.unicodeScalars.map(Key.character))
  }
}

extension KeyBinding.Hint {
  /// A hint with fixed words, shown if `applies`.
  fileprivate init(
    _ place: Place, _ keys: String, _ action: String,
    if applies: @escaping @Sendable (LiveModel) -> Bool = { _ in true }
  ) {
    self.init(place: place, keys: keys) { model, _ in applies(model) ? action : nil }
  }
}

extension KeyBinding {
  /// All keys of the view while no overlay is open, in the order of help.
  static let all =
    attached + strategies + looking + time + [
      KeyBinding(
        keys: [.tab], help: ("tab", "next page of numbers"),
        hints: [
          Hint(place: .page, keys: "tab") { $1 > 1 ? page($0.page, of: $1) : nil }
        ]
      ) { model, _ in
        model.page += 1
        return nil
      },
      KeyBinding(
        keys: characters("w"), help: ("w", "save frames as CSV"),
        hints: [Hint(.last, "w", "save CSV")]
      ) { _, _ in .save },
      KeyBinding(
        keys: characters("q"), help: ("q", "quit"), hints: [Hint(.first, "q", "quit")]
      ) { _, _ in .quit },
      KeyBinding(keys: characters("?h"), hints: [Hint(.first, "?", "help")]) { model, _ in
        model.helpPage = 0
        model.overlay = .help
        return nil
      },
    ]

  static func page(_ page: Int, of pages: Int) -> String {
    "page \(page % pages + 1)/\(pages)"
  }

  private static let attached = [
    KeyBinding(
      keys: characters("a"), applies: { $0.session.attached != nil },
      hints: [
        Hint(.engine, "a", "record 10 s, advise") {
          $0.session.attached != nil && $0.session.isRecordable
        }
      ]
    ) { _, _ in .record }
  ]

  private static let strategies = [
    KeyBinding(
      keys: characters("123456789"), changesRun: true, help: ("1 … 9", "run that strategy"),
      hints: [
        Hint(place: .sideBySide, keys: "1-9") { model, _ in
          model.isSideBySide ? "replace \(model.panes[model.selected].run.label)" : nil
        }
      ]
    ) { model, key in
      guard case .character(let digit) = key else { return nil }
      return model.start(Int(digit.value - 0x31))
    },
    KeyBinding(
      keys: characters("s"), changesRun: true, help: ("s", "choose, or run side by side"),
      hints: [Hint(.engine, "s", "strategies")]
    ) { model, _ in
      model.overlay = .strategies(cursor: model.chosen.first ?? 0, ticked: [])
      return nil
    },
    KeyBinding(
      keys: characters("c"), changesRun: true, help: ("c", "compare with the previous run"),
      hints: [
        Hint(.sideBySide, "c", "only this one", if: \.isSideBySide),
        Hint(.engine, "c", "compare") { !$0.isSideBySide },
      ]
    ) { model, _ in model.toggleSideBySide() },
    KeyBinding(
      keys: [.up, .down], applies: \.isSideBySide,
      help: ("up, down", "select a run to replace"),
      hints: [Hint(.selecting, "↑↓", "select", if: \.isSideBySide)]
    ) { model, key in
      let next = model.selected + (key == .up ? -1 : 1)
      model.selected = min(max(0, next), model.panes.count - 1)
      return nil
    },
    KeyBinding(
      keys: characters("d"), changesRun: true, help: ("d", "find a change that helps"),
      hints: [Hint(.engine, "d", "advise")]
    ) { _, _ in .advise },
  ]

  private static let looking = [
    KeyBinding(
      keys: characters("z"), help: ("z", "more time per column"),
      hints: [Hint(.sideBySide, "z", "zoom", if: \.isSideBySide)]
    ) { model, _ in
      model.zoomOut()
      return nil
    },
    KeyBinding(
      keys: characters("i"), help: ("i", "inspect (left, right, esc)"),
      hints: [Hint(.last, "i", "inspect")]
    ) { model, _ in
      model.toggleInspection()
      return nil
    },
    KeyBinding(
      keys: [.escape],
      hints: [
        Hint(.inspecting, "esc", "newest") { $0.scrollPosition != nil },
        Hint(.inspecting, "esc", "numbers") { $0.scrollPosition == nil && $0.advice != nil },
      ]
    ) { model, _ in
      if model.scrollPosition == nil { model.advice = nil }
      model.scrollPosition = nil
      return nil
    },
    KeyBinding(
      keys: [.left, .right], applies: { $0.scrollPosition?.inspected != nil },
      hints: [Hint(.inspecting, "←→", "inspect") { $0.scrollPosition?.inspected != nil }]
    ) { model, key in
      model.moveInspection(older: key == .left)
      return nil
    },
    KeyBinding(
      keys: [.pageUp, .pageDown], help: ("pgup, pgdn", "look back and forward")
    ) { model, key in
      model.scrollBack(by: key == .pageUp ? model.second : -model.second)
      return nil
    },
    KeyBinding(keys: [.wheelUp, .wheelDown]) { model, key in
      model.scrollBack(by: key == .wheelUp ? model.wheel : -model.wheel)
      return nil
    },
    KeyBinding(keys: characters("m"), help: ("m", "capture or release mouse")) { model, _ in
      model.togglePointer()
      return nil
    },
  ]

  private static let time = [
    KeyBinding(
      keys: characters("a"), changesRun: true, help: ("a", "add a batch; attached: advise"),
      hints: [Hint(place: .engine, keys: "a") { model, _ in "add \(model.batch)" }]
    ) { model, _ in model.add() },
    KeyBinding(
      keys: characters("+=-"), changesRun: true, help: ("+ -", "larger, smaller batch"),
      hints: [Hint(.engine, "+-", "batch")]
    ) { model, key in
      model.changeBatch(larger: key != .character("-"))
      return nil
    },
    KeyBinding(
      keys: characters("f"), changesRun: true, help: ("f", "60, 90 or 120 Hz"),
      hints: [Hint(.engine, "f", "refresh")]
    ) { model, _ in
      model.engine.map { .start(model.chosen, model.nextRefresh, $0) }
    },
    KeyBinding(
      keys: characters("e"), changesRun: true, help: ("e", "real or virtual engine"),
      hints: [Hint(.engine, "e", "engine")]
    ) { model, _ in model.otherEngine() },
    KeyBinding(
      keys: characters("r"), help: ("r", "restart"), hints: [Hint(.last, "r", "restart")]
    ) { model, _ in
      model.restart ?? .start([], model.refresh, .virtual)
    },
    KeyBinding(
      keys: characters(" "), help: ("space", "pause (virtual, recorded)"),
      hints: [Hint(.time, "space", "pause", if: \.canControlTime)]
    ) { model, _ in
      model.togglePause()
      return nil
    },
    KeyBinding(
      keys: characters(".n"), help: (". or n", "advance by one frame"),
      hints: [Hint(.time, ".", "step", if: \.canControlTime)]
    ) { model, _ in model.step() },
    KeyBinding(
      keys: characters("<[>]").union([.left, .right]), help: ("< >", "slower, faster"),
      hints: [Hint(.time, "<>", "speed", if: \.canControlTime)]
    ) { model, key in
      model.changeSpeed(faster: characters(">]").union([.right]).contains(key))
      return nil
    },
  ]
}
