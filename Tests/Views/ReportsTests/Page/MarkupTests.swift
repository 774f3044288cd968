import Testing

@testable import FrameBudgetReports

struct MarkupTests {
  @Test func `text becomes part of it only escaped`() {
    let name = "</b><script>\"x\" & 'y'\u{1}"
    let markup: Markup = "<b title=\"\(name)\">\(name)</b>"
    #expect(!markup.html.contains("<script>") && !markup.html.contains("\u{1}"))
    #expect(markup.html.hasPrefix("<b title=\"&lt;/b&gt;&lt;script&gt;&quot;x&quot; &amp; 'y'"))
  }

  @Test func `markup within markup stays what it is`() {
    let inner: Markup = "<i>\("<")</i>"
    #expect(
      ("<b>\(inner)\([inner, inner])\(3)</b>" as Markup).html
        == "<b><i>&lt;</i><i>&lt;</i><i>&lt;</i>3</b>")
  }

  @Test func `a share is a length of a style sheet`() {
    #expect(("\(share: 1.0 / 3)" as Markup).html == "33.333%")
  }

  @Test func `nothing is not folded`() {
    #expect(Markup.folded("more", "").isEmpty)
    #expect(Markup.folded("a < b", "x").html.contains("<summary>a &lt; b</summary>"))
  }
}
