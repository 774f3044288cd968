/// Which thread of a recording draws, by the rules of its format.
enum UIThread {
  /// The rules, the surest first.
  private enum Rule: CaseIterable {
    case rendererMain, flutter, android, browserMain, own, first, busiest

    func holds(of thread: RecordingIndex.Thread) -> Bool {
      switch self {
      case .rendererMain: thread.name == "CrRendererMain"
      case .flutter: UIThread.isFlutterUI(thread.name)
      case .android, .first: thread.number == thread.process.number
      case .browserMain: thread.name == "CrBrowserMain"
      case .own: thread.name == "main"
      case .busiest: true
      }
    }

    var because: String {
      switch self {
      case .rendererMain: "it is the CrRendererMain"
      case .flutter: "it is the UI thread of Flutter's engine"
      case .android, .first: "it is the first thread of its process"
      case .browserMain: "it is the CrBrowserMain, and no renderer was recorded"
      case .own: "it is called main"
      case .busiest: "no thread says that it is the main thread"
      }
    }

    static func rules(of format: RecordingFormat) -> [Self] {
      switch format {
      case .chrome: [.rendererMain, .own, .browserMain, .first, .busiest]
      case .flutter: [.flutter, .first, .busiest]
      case .perfetto: [.rendererMain, .flutter, .android, .own, .busiest]
      case .systrace: [.android, .own, .busiest]
      case .framebudget: [.own, .first, .busiest]
      }
    }
  }

  /// Of the first rule that any of `threads` keeps, the one with most tasks.
  static func choice(
    of index: RecordingIndex, among threads: [Int]? = nil
  ) -> (thread: Int, because: String)? {
    let threads = (threads ?? Array(index.threads.indices)).filter { index.threads[$0].slices > 0 }
    for rule in Rule.rules(of: index.format) {
      let kept = threads.filter { rule.holds(of: index.threads[$0]) }
      guard let first = kept.first else { continue }
      // Of equals the first.
      let busiest = kept.reduce(first) {
        index.threads[$1].tasks > index.threads[$0].tasks ? $1 : $0
      }
      let most = kept.count > 1 ? " with most tasks of \(kept.count)" : ""
      return (busiest, rule.because + most)
    }
    return nil
  }

  /// `1.ui`, `io.flutter.1.ui`, or either with the number that DevTools puts behind it.
  static func isFlutterUI(_ name: String) -> Bool {
    let word = name.prefix { $0 != " " }.split(separator: ".", omittingEmptySubsequences: false)
    return word.count >= 2 && word.last == "ui" && Int(word[word.count - 2]) != nil
  }
}
