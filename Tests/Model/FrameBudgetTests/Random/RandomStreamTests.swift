import FrameBudget
import Testing

@Suite struct RandomStreamTests {
  private func draws(_ count: Int, of stream: RandomStream) -> [UInt64] {
    var stream = stream
    return (0..<count).map { _ in stream.next() }
  }

  /// Reference values from an implementation in another language of the published algorithms.
  @Test(
    arguments: [
      (42, "add-file/arrival", 0, [0x18d7_c6f0_712f_8487, 0xe0a1_fee1_a38b_313d]),
      (42, "add-file/arrival", 1, [0x1b02_bc18_65d2_59ec, 0xfbd1_195b_c2eb_4c71]),
      (42, "", 0, [0x704c_db38_eb66_d763, 0x33f6_72f4_53b6_6e60]),
      (0, "tap", 7, [0x9d40_14ff_c063_9ccd, 0xa216_c2fe_0216_b6ca]),
    ] as [(UInt64, String, Int, [UInt64])])
  func `a stream gives the same numbers on every machine`(
    seed: UInt64, name: String, index: Int, numbers: [UInt64]
  ) {
    #expect(draws(2, of: RandomStream(seed: seed, name: name, index: index)) == numbers)
  }

  @Test func `a key depends on seed and name`() {
    let stream = RandomStream(seed: 42, name: "add-file/arrival", index: 5)
    #expect(stream.key == 0xa194_57c0_6aed_b4ba)
    #expect(draws(3, of: RandomStream(key: stream.key, index: 5)) == draws(3, of: stream))
  }

  @Test func `seed, name and index each select another stream`() {
    var seen: Set<UInt64> = []
    for seed in 0..<20 as Range<UInt64> {
      for name in ["", "a", "b", "ab", "ba", "a/arrival"] {
        for index in -5..<100 {
          seen.formUnion(draws(4, of: RandomStream(seed: seed, name: name, index: index)))
        }
      }
    }
    #expect(seen.count == 20 * 6 * 105 * 4)
  }

  /// Two series that depended on one another would agree on more or fewer than half of their bits.
  @Test(arguments: [("a", 0, "a", 1), ("a", 0, "b", 0), ("a", 1, "a", 2), ("x1", 3, "x2", 3)])
  func `two streams agree on half of their bits`(
    name: String, index: Int, other: String, otherIndex: Int
  ) {
    let left = draws(10_000, of: RandomStream(seed: 1, name: name, index: index))
    let right = draws(10_000, of: RandomStream(seed: 1, name: other, index: otherIndex))
    let differing = zip(left, right).reduce(0) { $0 + ($1.0 ^ $1.1).nonzeroBitCount }
    #expect(abs(differing - 320_000) < 5 * 400, "five standard deviations of 640 000 coins")
  }

  @Test func `the first draws of neighbouring members are uniform`() {
    let count = 100_000
    let key = RandomStream(seed: 3, name: "members").key
    var cells = Array(repeating: 0, count: 16)
    var sum = 0.0
    for index in 0..<count {
      var stream = RandomStream(key: key, index: index)
      let unit = stream.unit()
      sum += unit
      cells[Int(unit * 16)] += 1
    }
    let expected = Double(count) / 16
    let chiSquare = cells.reduce(0) { $0 + (Double($1) - expected) * (Double($1) - expected) }
    #expect(chiSquare / expected < 37.7, "one in a thousand at 15 degrees of freedom")
    #expect(abs(sum / Double(count) - 0.5) < 0.005)
  }
}
