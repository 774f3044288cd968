import FrameBudgetParsing
import Testing

struct XMLReaderTests {
  /// The events as text: `<name a=b` for a tag, the text in quotes, and `>` for an end.
  private func events(_ text: String) throws(InputError) -> String {
    var reader = XMLReader(ByteSource(Array(text.utf8), name: "xml"))
    var found: [String] = []
    while let event = try reader.next() {
      switch event {
      case .begin(let name, let attributes):
        let all = attributes.sorted { $0.key < $1.key }.map { " \($0.key)=\($0.value)" }
        found.append("<\(name)\(all.joined())")
      case .text(let text): found.append("'\(text)'")
      case .end: found.append(">")
      }
    }
    return found.joined()
  }

  private func failure(_ text: String) -> String? {
    do {
      _ = try events(text)
      return nil
    } catch {
      return error.description
    }
  }

  @Test(arguments: [
    ("<a/>", "<a>"), ("<?xml version='1.0'?>\n<a>\n<b/></a>\n", "<a<b>>"),
    ("<a x=\"1\" y='>'>t</a>", "<a x=1 y=>'t'>"),
    ("<a>&lt;&#65;&#x42;&amp;&quot;&apos;&gt;</a>", "<a'<AB&\"'>'>"),
    ("<!-- it's <b> > --><a><!---->t</a>", "<a't'>"), ("<a x = '1' />", "<a x=1>"), ("", ""),
  ])
  func `elements, attributes and texts are passed in order`(_ text: String, _ events: String) throws
  {
    #expect(try self.events(text) == events)
  }

  @Test(arguments: [
    ("<a>", "the text ends within <a>"), ("<a", "the text ends within a tag"),
    ("<a></b>", "</b> closes no element"), ("<a x>", "an attribute has the form"),
    ("<a x=1/>", "an attribute has the form"), ("< />", "a tag has no name"),
    ("<!DOCTYPE a [<!ENTITY b \"c\">]><a>&b;</a>", "document types"),
    ("<a><![CDATA[x]]></a>", "character data"), ("<a>&b;</a>", "'&' does not begin"),
    ("<a>&#xD800;</a>", "'&' does not begin"),
  ])
  func `what programs do not write is refused`(_ text: String, _ reason: String) throws {
    let message = try #require(failure(text))
    #expect(message.contains(reason), "\(message)")
  }

  @Test func `an error has its line, and sizes have limits`() throws {
    #expect(failure("<a>\n\n<b></a>")?.hasPrefix("3: ") == true)
    let deep = String(repeating: "<a>", count: 200)
    #expect(failure(deep)?.contains("more than 100 deep") == true)
    let long = "<a x='" + String(repeating: "y", count: 3 << 20)
    #expect(failure(long)?.contains("more than 1 MB") == true)
  }
}
