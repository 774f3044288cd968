import FrameBudget
import Testing

@testable import FrameBudgetScenarios

struct YAMLWriterTests {
  @Test(arguments: [
    "plain", "", "a\nb\r\tc", "\u{1B}]0;x\u{7}", "\u{9B}\u{7F}", "\u{202E}\u{200F}\u{FEFF}",
    "\u{2028}\u{85}", "\u{FFFE}", "\\\"'", "key: value # no", "- x", "&a *b !c", "{[", "~", "ä 👩‍💻",
  ])
  func `any text that is written is read back`(_ text: String) throws {
    let origin = Origin.file(.start)
    let value = SourceNode(origin: origin, content: .scalar(text, isPlain: false))
    let pair = SourceNode.Pair(key: "name", origin: origin, value: value)
    let yaml = YAMLWriter.text(SourceNode(origin: origin, content: .mapping([pair])))
    #expect(!yaml.unicodeScalars.contains { $0.isDisruptive && $0 != "\n" })
    let read = try YAMLReader.root(of: SourceText(Array(yaml.utf8), file: "a.yaml"), allowed: "")
    #expect(read.pairs?.first?.value.text == text)
  }
}
