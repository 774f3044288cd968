internal import FrameBudgetParsing

extension AtraceMark {
  /// Parses `B|123|name`, `E`, `E|123` or `C|123|name|1`; nil for other marks. Old kernels write `0: ` before it.
  init?(_ text: Span<UInt8>, into sink: inout some KernelSink) {
    var at = 0
    _ = TextScan.takeText("0: ", text, &at)
    guard at < text.count else { return nil }
    let letter = text[at]
    at += 1
    let hasMore = TextScan.take("|", text, &at)
    let process = hasMore ? TextScan.number(text, &at) : nil
    switch letter {
    case UInt8(ascii: "B"):
      guard TextScan.take("|", text, &at) else { return nil }
      self = .begin(process: process, name: sink.intern(text.extracting(at..<text.count)))
    case UInt8(ascii: "E"):
      guard hasMore || at == text.count else { return nil }
      self = .end(process: process)
    case UInt8(ascii: "C"):
      guard TextScan.take("|", text, &at),
        let bar = TextScan.last(of: "|", in: text, before: text.count), bar > at
      else { return nil }
      var value = bar + 1
      let isNegative = TextScan.take("-", text, &value)
      guard let count = TextScan.number(text, &value) else { return nil }
      self = .counter(
        process: process, name: sink.intern(text.extracting(at..<bar)),
        value: Int64(isNegative ? -count : count))
    default: return nil
    }
  }
}
