/// Where a command's result goes: standard output, or a new file, which appears once it is whole.
struct ResultPlace: ~Copyable {
  private let console: Console
  private let path: String?
  private let isQuiet: Bool
  private var file: NewFile?

  /// `path` is that of the file; standard output without one.
  init(_ path: String?, quiet: Bool, on console: Console) throws(ToolError) {
    if let path { file = try NewFile(path, on: console) }
    self.path = path
    self.console = console
    isQuiet = quiet
  }

  /// As behind a pipe, where the result goes to a file.
  private var target: Console { path == nil ? console : console.withoutTerminal }
  var width: Int { target.width }
  func isColored(_ choice: ColorChoice) -> Bool { target.isColored(choice) }

  mutating func write(_ text: String) throws(ToolError) {
    guard let path else { return try console.print(text) }
    try file?.write(text)
    try file.take()?.commit()
    if !isQuiet { console.note("the result is in \(path)") }
  }
}

extension Console {
  /// The same with an output that is nothing to draw on.
  fileprivate var withoutTerminal: Console {
    var console = self
    console.output = -1
    return console
  }
}
