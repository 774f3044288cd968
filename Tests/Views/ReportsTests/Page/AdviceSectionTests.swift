import FrameBudget
import FrameBudgetAdvice
import FrameBudgetParsing
import Testing

@testable import FrameBudgetReports

struct AdviceSectionTests {
  private func html(_ advice: AdviceRecord) -> String {
    AdviceSection(advice: advice).markup("") { "<h3>\($0)</h3>" }.html
  }

  @Test func `shows the change, its benefit and its certainty`() throws {
    let section = AdviceSection(advice: try MadeUpAdvice.results())
    #expect(
      section.gain
        == "390 of 600 frames dropped become 0, 6 late answers become 0"
    )
    #expect(
      html(section.advice).contains(
        "It holds in 20 of 20 runs with other random numbers and arrival times, and in nine of ten until costs are 42 % higher. Dropped frames end it; late responses would at 60 %."
      ))
  }

  @Test func `draws both arrangements, with words that mark moved services`() throws {
    let html = html(try MadeUpAdvice.results())
    let pictures = html.split(separator: "<figure>").map(String.init).dropFirst()
    #expect(pictures.count == 2)
    let (today, next) = (pictures[1], pictures[2])
    #expect(today.contains("main-thread <b class=\"badge\">today</b>"))
    #expect(
      today.contains(
        "<dt>main</dt><dd><ul><li class=\"draws\">drawing</li><li>gallery</li><li>hasher</li>"))
    #expect(next.contains("advice-1 <b class=\"badge best\">advised</b>"))
    #expect(
      next.contains(
        "<dt>lane background</dt><dd><ul><li class=\"moved\">hasher <small>from main</small></li>"))
    // A lock is not a thread, and names of files stay text.
    #expect(next.contains("<dt>lock &lt;log&gt;, on the caller's thread</dt>"))
  }

  @Test func `says what each move of the first advice bought, on one scale`() throws {
    let html = html(try MadeUpAdvice.results())
    #expect(html.contains("Gain of each move") && !html.contains("class=\"adding\""))
    #expect(
      html.contains(
        "<i class=\"best\" style=\"width:100%\"></i></span><span class=\"much\"><b>390</b>, 6 late answers</span>"
      ))
    #expect(html.contains("style=\"width:0%\"") && html.contains("alone: 390, 6 late answers"))
    #expect(!html.contains("alone: 380"))
  }

  @Test func `says where to begin with a rule, which names no service`() {
    var today = AdviceRecord.Row()
    today.bottleneck = Bottleneck(name: "service hasher", parallel: 1, time: 2)
    var rule = AdviceRecord.Row()
    rule.moves = ["end tasks on main after each step"]
    #expect(
      today.place(of: rule) == "Begin with the tasks of hasher, which has the most work.")
    var move = rule
    (move.moves, move.moved) = (["move hasher to lane background"], 1)
    #expect(today.place(of: move) == nil)
    for other in ["service other", "loading"] {
      today.bottleneck = Bottleneck(name: other, parallel: 1, time: 2)
      #expect(today.place(of: rule) == nil)
    }
  }

  @Test func `lists what else there is`() throws {
    let html = html(try MadeUpAdvice.results())
    #expect(html.contains("advice-2<small>move all</small>"))
    #expect(html.contains("frames dropped </span>390"))
    #expect(html.contains("<span class=\"label\" aria-hidden=\"true\">costs may grow </span>5 %"))
    #expect(html.matches(of: /<tr role="row" class="pick">/).count == 1)
  }

  @Test func `says why nothing helps, with figures`() throws {
    let text = """
      schema,scenario,verdict,arrangement,role,meets_aims,dropped_frames,demand,capacity,places,expected_frames
      1,s,nothing-helps,main-thread,today,0,90,3.5,2,a=main,100

      """
    let html = html(try MadeUpAdvice.results(text))
    #expect(
      html.contains(
        "Nothing helps, because the processors do not suffice: the app needs 3.5 full cores, and the machine has 2."
      ))
    #expect(!html.contains("<table") && html.matches(of: /<figure>/).count == 1)
  }

  @Test func `begins with what comes nearest, with what it costs, where nothing reaches the aims`()
    throws
  {
    let text = """
      schema,scenario,verdict,arrangement,role,moves,dropped_frames,responses_late,demand,capacity,places,drawing_alone_dropped
      1,s,nothing-helps,main-thread,today,,72,0,1.8,2,a=main,3
      1,s,nothing-helps,nearest-1,nearest,move a to lane background,4,1,1.8,2,a=lane background,3

      """
    let advice = try MadeUpAdvice.results(text)
    let words = "Move a to lane background: 72 frames dropped become 4, 0 late answers become 1"
    #expect(
      html(advice).contains(
        "\(words). Nothing that was tried reaches the aims, because drawing alone drops 3 frames, which no arrangement changes; "
      ))
    let page = ReportPage(title: "t", results: ResultSet(rows: [], metrics: []), advice: [advice])
    #expect(try page.html().contains("<h1>\(words)</h1>"))
  }

  @Test func `says it where drawing alone is too much`() throws {
    let text = """
      schema,scenario,verdict,arrangement,role,dropped_frames,demand,capacity,places,drawing_alone_dropped
      1,s,nothing-helps,main-thread,today,90,1.8,2,a=main,88

      """
    #expect(
      html(try MadeUpAdvice.results(text)).contains(
        "Nothing helps, because drawing alone drops 88 frames, which no arrangement changes; the processors suffice: "
      ))
  }

  @Test(arguments: [
    (
      ",,",
      "Nothing helps, because drawing alone drops 7 of 254 frames (0 without part bind-rows), which nothing that was tried changes; "
    ),
    (
      "bind-rows=2,prefetch bind-rows up to 2 frames early,0",
      "Nothing helps with what is known today, because drawing alone drops 7 of 254 frames (0 without part bind-rows); "
    ),
    (
      "bind-rows=2,prefetch bind-rows up to 2 frames early,0",
      ". If the input of bind-rows is known 2 frames earlier, prefetch bind-rows up to 2 frames early: 8 of 254 frames dropped become 0."
    ),
  ])
  func `names the part of drawing, and what foresight would buy`(
    foresight: String, words: String
  ) throws {
    let text = """
      schema,scenario,verdict,arrangement,role,dropped_frames,demand,capacity,places,expected_frames,drawing_alone_dropped,\
      drawing_part,drawing_without_part_dropped,foresight,foresight_moves,foresight_dropped
      1,s,nothing-helps,main-thread,today,8,1.2,2,a=main,254,7,bind-rows,0,\(foresight)

      """
    let advice = try MadeUpAdvice.results(text)
    let page = html(advice)
    #expect(page.contains(words), "\(page)")
    #expect(page.contains("which nothing that was tried changes") == (foresight == ",,"))
    #expect(AdviceSection(advice: advice).headline.hasSuffix("today") == (foresight != ",,"))
  }

  @Test func `says what a cache would buy as a condition, not in the headline`() throws {
    let advice = try MadeUpAdvice.results(
      """
      schema,scenario,verdict,arrangement,role,dropped_frames,demand,capacity,places,expected_frames,drawing_alone_dropped,\
      drawing_part,drawing_without_part_dropped,kept_part,kept_percent,kept_today_dropped,kept_dropped
      1,s,nothing-helps,main-thread,today,8,1.2,2,a=main,254,7,bind-rows,0,bind-rows,80,9,3

      """)
    let page = html(advice)
    #expect(
      page.contains(
        "Nothing helps with what is known today, because drawing alone drops 7 of 254 frames (0 without part bind-rows); "
      ), "\(page)")
    #expect(
      page.contains(
        ". If 80 % of bind-rows can be kept in memory, dropped frames fall from 9 to at most 3 of 254 (in 18 of 20 runs)."
      ), "\(page)")
    #expect(AdviceSection(advice: advice).headline.hasSuffix("today"))
    #expect(!AdviceSection(advice: advice).headline.contains("%"))
  }

  @Test func `says that the search was interrupted, whatever it found`() throws {
    func advice(_ interrupted: String) throws -> AdviceRecord {
      try MadeUpAdvice.results(
        """
        schema,scenario,verdict,arrangement,role,meets_aims,dropped_frames,places,interrupted
        1,s,nothing-helps,main-thread,today,0,9,,\(interrupted)

        """)
    }
    #expect(html(try advice("0")).contains("Nothing helps, because "))
    #expect(!html(try advice("0")).contains("interrupted"))
    let ended = try advice("1")
    #expect(html(ended).contains("The interrupted search found nothing."))
    #expect(html(ended).contains(" The search was interrupted: a smaller change may exist,"))
    #expect(AdviceSection(advice: ended).headline == "The interrupted search found nothing")
  }

  @Test func `says that there is nothing to change`() throws {
    let text = """
      schema,scenario,verdict,arrangement,role,meets_aims,dropped_frames,places,expected_frames
      1,s,nothing-to-change,main-thread,today,1,0,,100

      """
    let advice = try MadeUpAdvice.results(text)
    #expect(html(advice).contains("Nothing to change: today 0 of 100 frames dropped."))
    #expect(AdviceSection(advice: advice).headline == "Nothing to change")
    #expect(!html(advice).contains("class=\"places\""))
  }

  @Test func `agrees with runs in which the first advice did worse`() throws {
    let rows = [
      OutcomeRow(drops: [.logic: 390]), OutcomeRow(label: "advice-1", drops: [.logic: 3]),
      OutcomeRow(label: "advice-2", handOff: 5), OutcomeRow(label: "schedulable", handOff: 1),
    ]
    let advice = try MadeUpAdvice.results()
    func html(_ rows: [OutcomeRow]) -> String {
      let verdicts = Verdict.all(rows.map(\.row), advised: ["scenario": advice.recommended])
      return AdviceSection(advice: advice, verdicts: verdicts).markup("") { "<h3>\($0)</h3>" }.html
    }
    let second = html(rows)
    #expect(
      second.contains("Move all: ")
        && second.contains("advice-2 <b class=\"badge best\">advised</b>"))
    #expect(second.contains("advice-1 changes less, but was worse in a run."))
    #expect(!second.contains("advice-1 <b class=\"badge best\">"))
    let none = html([rows[0], rows[1], rows[3]])
    #expect(none.contains("In a run, schedulable was better than the advised arrangement."))
    #expect(!none.contains("badge best"))
    let other = html([rows[0], rows[3]])
    #expect(other.contains("advice-1 <b class=\"badge best\">advised</b>"))
  }

  @Test func `appears on a page with runs, and on its own page`() throws {
    let advice = try MadeUpAdvice.results()
    let none = ResultSet(rows: [], metrics: [])
    let alone = try ReportPage(title: "t", results: none, advice: [advice]).html()
    #expect(
      alone.contains("<h1>Move hasher to lane background: 390 of 600 frames dropped become 0"))
    #expect(alone.contains("<h2>What to change</h2>") && !alone.contains("<h2>More</h2>"))
    let runs = results(["expected_frames": [600], "dropped_frames": [0]], strategy: "advice-1")
    let other = try ReportPage(title: "t", results: runs, advice: [advice]).html()
    // Two scenarios: each has its chapter.
    #expect(other.contains("<section class=\"chapter\" id=\"s2\">"))
    #expect(!other.contains("advice-1 <b class=\"badge best\">advised</b> "))
  }
}

struct ShareSectionTests {
  private func html(_ text: String) throws -> String {
    let explained = try ExplainedRecord(ByteSource(Array(text.utf8), name: "shares"))
    return ShareSection(explained: explained).markup("").html
  }

  @Test func `bars for more drops point right, bars for fewer drops point left`() throws {
    let html = try html(
      """
      schema,part,frames,numerator,denominator,error,before,after,scenario
      1,service <files>,30,30,1,,2,22,upload
      1,drawing,-10,-10,1,,2,22,upload

      """)
    #expect(
      html.contains(
        "From 2 dropped frames to 22: +30 of +20 because of service &lt;files&gt;."))
    #expect(html.contains("class=\"adding\" style=\"left:25%;width:75%\""))
    #expect(html.contains("class=\"saving\" style=\"left:0%;width:25%\""))
    #expect(html.contains("<b>+30</b>") && html.contains("<b>-10</b>"))
    #expect(!html.contains("class=\"range\"") && !html.contains("95 %"))
  }

  @Test func `an interval has a line of its own`() throws {
    let html = try html(
      """
      schema,part,frames,numerator,denominator,error,before,after,scenario
      1,service files,8,8,1,2,0,8,upload

      """)
    #expect(html.contains("class=\"range\" style=\"left:60%;width:40%\""))
    #expect(html.contains("<small>± 2</small>") && html.contains("95 % interval"))
  }

  @Test func `equal values draw no bar`() throws {
    let html = try html(
      """
      schema,part,frames,numerator,denominator,error,before,after,scenario
      1,service files,0,0,1,,4,4,upload

      """)
    #expect(html.contains("From 4 dropped frames to 4.") && html.contains("left:0%;width:0%"))
  }

  @Test func `of one scenario a bar is what would be dropped without a part`() throws {
    let html = try html(
      "schema,part,dropped,without,alone,scenario\n1,drawing,40,10,0,s\n1,service a,40,40,3,s\n")
    #expect(html.contains("The app drops 40 frames; without drawing it would drop 10. A bar "))
    #expect(html.contains("left:0%;width:25%") && html.contains("alone: 3"))
  }
}
