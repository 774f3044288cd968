internal import FrameBudget
internal import FrameBudgetCaptures
internal import FrameBudgetLearning
internal import FrameBudgetReports

/// Gives the listeners of a page only the newest events of a type, by a rule, as an app's developer would write it.
///
/// Each listener has a limit of its own for each element, so that no element loses its last event. What is not an event of the
/// type is left alone. Listeners in HTML attributes, which no script adds, are not limited.
enum ListenerLimits {
  /// The file of the script's functions in a recording.
  static let file = "framebudget-limits.js"

  /// Run in each document before its scripts.
  static func script(of event: String, by rule: NewestRule) -> String {
    let (limit, span) =
      switch rule {
      case .all, .latest: ("latest", TimeSpan.zero)
      case .debounce(let span): ("debounce", span)
      case .throttle(let span): ("throttle", span)
      }
    let milliseconds = Decimal.text(units: span.nanoseconds, places: 6)
    return """
      (\(function))(\(OutputContext.json.escaped(event)), "\(limit)", \(milliseconds));
      //# sourceURL=\(file)
      """
  }

  /// Whether a limited listener was called, in any of the recorded documents.
  static func wereUsed(in recording: Recording) -> Bool {
    recording.names.contains { AppCalls.file(in: $0) == file }
  }

  private static let function = """
    (type, limit, span) => {
      const {setTimeout, clearTimeout, MessageChannel, Reflect, Object, WeakMap} = self;
      // A function with the name of the listener that it calls, for the recording.
      const named = (listener, calling) =>
        Object.defineProperty(calling, "name", {value: typeof listener === "function" ? listener.name : "handleEvent"});
      const limits = {
        debounce(listener, run) {
          let timer;
          const end = named(listener, (event) => run(event));
          return (event) => {
            clearTimeout(timer);
            timer = setTimeout(end, span, event);
          };
        },
        throttle(listener, run) {
          let [newest, isWaiting] = [null, false];
          const end = named(listener, () => {
            const event = newest;
            newest = null;
            isWaiting = event !== null;
            if (isWaiting) {
              setTimeout(end, span);
              run(event);
            }
          });
          return (event) => {
            if (isWaiting) {
              newest = event;
              return;
            }
            isWaiting = true;
            setTimeout(end, span);
            return run(event);
          };
        },
        latest(listener, run) {
          // A message of its own comes behind all events that wait.
          const {port1, port2} = new MessageChannel();
          let newest = null;
          setHandler(port1, named(listener, () => {
            const event = newest;
            newest = null;
            run(event);
          }));
          return (event) => {
            if (newest === null) port2.postMessage(0);
            newest = event;
          };
        },
      };
      const call = (listener, target, event) => {
        // After its dispatch an event has no current target.
        const isOver = event.currentTarget === null;
        if (isOver) Object.defineProperty(event, "currentTarget", {value: target, configurable: true});
        try {
          return typeof listener === "function" ? Reflect.apply(listener, target, [event]) : listener.handleEvent(event);
        } finally {
          if (isOver) delete event.currentTarget;
        }
      };
      const [limited, originals] = [new WeakMap(), new WeakMap()];
      const limitedListener = (listener) => {
        const isListener = typeof listener === "function" || (typeof listener === "object" && listener !== null);
        if (!isListener) return listener;
        if (!limited.has(listener)) {
          const perTarget = new WeakMap();
          const first = named(listener, (event) => {
            const target = event.currentTarget;
            if (!perTarget.has(target)) {
              perTarget.set(target, limits[limit](listener, (event) => call(listener, target, event)));
            }
            return perTarget.get(target)(event);
          });
          limited.set(listener, first);
          originals.set(first, listener);
        }
        return limited.get(listener);
      };
      // Other messages, such as those of a socket, are no tasks of the kind that the recording shows.
      const messages = [self, self.Worker, self.MessagePort];
      const isLimited = (target, kind) => String(kind) === type &&
        (type !== "message" || (target ?? self) === self ||
          messages.slice(1).some((kind) => kind && target instanceof kind));
      for (const name of ["addEventListener", "removeEventListener"]) {
        EventTarget.prototype[name] = new Proxy(EventTarget.prototype[name], {
          apply(original, target, values) {
            const [kind, listener, ...rest] = values;
            if (values.length < 2 || !isLimited(target, kind)) return Reflect.apply(original, target, values);
            return Reflect.apply(original, target, [kind, limitedListener(listener), ...rest]);
          },
        });
      }
      let setHandler = (port, handler) => { port.onmessage = handler; };
      const handler = `on${type}`;
      const owners = type === "message" ? [self, self.Worker?.prototype, self.MessagePort?.prototype]
        : [self, ...["Document", "HTMLElement", "SVGElement", "MathMLElement"].map((kind) => self[kind]?.prototype)];
      for (const owner of owners) {
        const known = owner && Object.getOwnPropertyDescriptor(owner, handler);
        if (!known?.set || !known.configurable) continue;
        if (owner === self.MessagePort?.prototype) setHandler = (port, handler) => Reflect.apply(known.set, port, [handler]);
        Object.defineProperty(owner, handler, {
          ...known,
          get() {
            const listener = Reflect.apply(known.get, this, []);
            return originals.get(listener) ?? listener;
          },
          set(listener) { Reflect.apply(known.set, this, [limitedListener(listener)]); },
        });
      }
    }
    """
}
