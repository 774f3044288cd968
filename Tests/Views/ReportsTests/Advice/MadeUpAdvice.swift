import FrameBudgetParsing

@testable import FrameBudgetReports

/// Advice as `advise -o DIR/` writes it: three services that move, and a rule.
enum MadeUpAdvice {
  static let head = "schema,scenario,verdict,arrangement,role,dropped_frames,places\n"

  static let rows = """
    schema,scenario,verdict,arrangement,role,moves,change,meets_aims,dropped_frames,responses_late,items_pending,\
    handoff_ms,copying_ms,waiting_ms,margin_pct,variants,variants_met,demand,capacity,places,expected_frames,margin_ends
    1,upload,change,main-thread,today,,0,0,390,6,0,0,0,0,,,,0.9,2,gallery=main;hasher=main;log=main,600,
    1,upload,change,advice-1,advice,move hasher to lane background,3,1,0,0,0,12.5,245,0,42,20,20,0.9,2,\
    gallery=main;hasher=lane background;log=lock <log>,600,dropped_frames=42;responses_late=60
    1,upload,change,advice-2,advice,move all,5,1,0,0,0,12,100,0,5,20,17,0.9,2,\
    gallery=lane background;hasher=lane background;log=lane background,600,

    """

  static let moves = """
    schema,scenario,arrangement,move,without_dropped,without_late,without_pending,alone_dropped,alone_late,alone_pending
    1,upload,advice-1,hasher,390,6,0,,,
    1,upload,advice-1,let priorities overtake,0,3,0,390,6,0
    1,upload,advice-2,log,12,0,0,380,6,0

    """

  static func results(_ text: String = rows) throws -> AdviceRecord {
    var advice = try AdviceRecord(ByteSource(Array(text.utf8), name: "advice.csv"))
    try advice.addMoves(ByteSource(Array(moves.utf8), name: "moves.csv"))
    return advice
  }
}
