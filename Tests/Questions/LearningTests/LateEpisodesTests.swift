import Testing

@testable import FrameBudgetLearning

struct LateEpisodesTests {
  struct Case: Sendable {
    let recorded: Set<Int>
    let replayed: Set<Int>
    let found: (Int, of: Int)
    let confirmed: (Int, of: Int)
    let differences: [Int]
  }

  @Test(arguments: [
    Case(recorded: [], replayed: [], found: (0, 0), confirmed: (0, 0), differences: []),
    Case(recorded: [3, 4], replayed: [3, 4], found: (1, 1), confirmed: (1, 1), differences: [0]),
    // They touch: one vsync later, and one before.
    Case(recorded: [3], replayed: [4, 5], found: (1, 1), confirmed: (1, 1), differences: [1]),
    Case(recorded: [4, 5], replayed: [3], found: (1, 1), confirmed: (1, 1), differences: [-1]),
    // There is a vsync between them.
    Case(recorded: [3], replayed: [5], found: (0, 1), confirmed: (0, 1), differences: []),
    // A picture came in between in the replay alone.
    Case(
      recorded: [3, 4, 5], replayed: [3, 5], found: (1, 1), confirmed: (2, 2), differences: [-1]),
    Case(
      recorded: [1, 3, 9], replayed: [2, 20], found: (2, 3), confirmed: (1, 2), differences: [-1]),
  ])
  func `episodes match if they overlap or touch`(_ example: Case) {
    let episodes = LateEpisodes(recorded: example.recorded, replayed: example.replayed)
    #expect((episodes.found, episodes.recorded) == example.found)
    #expect((episodes.confirmed, episodes.replayed) == example.confirmed)
    #expect(episodes.differences == example.differences)
  }
}
