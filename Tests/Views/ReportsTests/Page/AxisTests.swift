import Testing

@testable import FrameBudgetReports

struct AxisTests {
  @Test(
    arguments: [
      (7.0, [0.0, 1, 2, 3, 4, 5, 6, 7]), (100.0, [0.0, 20, 40, 60, 80, 100]),
      (0.31, [0.0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35]),
    ] as [(Double, [Double])])
  func `labels are round numbers that reach the maximum`(_ maximum: Double, _ ticks: [Double]) {
    let axis = Axis.linear("", to: maximum, from: 0, to: 100)
    #expect(axis.ticks.count == ticks.count)
    #expect(zip(axis.ticks, ticks).allSatisfy { abs($0 - $1) < 1e-9 })
  }

  @Test func `a linear axis goes from its start to its end`() {
    let axis = Axis.linear("", to: 10, from: 200, to: 100)
    #expect(axis.place(0) == 200)
    #expect(axis.place(10) == 100)
    #expect(axis.place(5) == 150)
    #expect(axis.place(99) == 100)
  }

  @Test func `a logarithmic axis spans whole powers of ten`() {
    let axis = Axis.logarithmic("", [8, 2600], from: 0, to: 400)
    #expect(axis.ticks == [1, 10, 100, 1000, 10000])
    #expect(axis.place(100) == 200)
  }

  @Test(arguments: [[Double](), [0], [5, 5], [1e-30, 1e30]])
  func `an empty chart has a valid axis`(_ values: [Double]) {
    for axis in [
      Axis.linear("", to: values.max() ?? 0, from: 0, to: 100),
      Axis.logarithmic("", values, from: 0, to: 100), Axis.span("", values, from: 0, to: 100),
    ] {
      #expect((0...100).contains(axis.place(values.first ?? 1)))
      #expect((1...100).contains(axis.ticks.count))
    }
  }
}
