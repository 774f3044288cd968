import Glibc
import Testing

@testable import FrameBudget

@Suite struct LogarithmTests {
  /// The relative error compared with the C library.
  private func error(_ value: Double) -> Double {
    let reference = Glibc.log(value)
    if reference == 0 { return naturalLogarithm(value) == 0 ? 0 : .infinity }
    return abs((naturalLogarithm(value) - reference) / reference)
  }

  @Test func `agrees with the C library over all magnitudes`() {
    var values = [Double.leastNonzeroMagnitude, .leastNormalMagnitude, .greatestFiniteMagnitude]
    for exponent in stride(from: -1074.0, through: 1023, by: 1) {
      for factor in [1, 1.0001, 1.25, 1.4142135623730949, 1.4142135623730954, 1.999] {
        values.append(factor * Glibc.exp2(exponent))
      }
    }
    let wrong = values.filter { error($0) > 1e-15 }
    #expect(wrong.count == 0, "for example ln \(wrong.first ?? 1)")
  }

  @Test func `agrees with the C library at random numbers`() {
    var stream = RandomStream(seed: 1, name: "logarithm")
    var wrong: [Double] = []
    for _ in 0..<20_000 {
      let unit = 1 - stream.unit()
      wrong += [unit, 1 + unit, 1 + unit * 1e-6, 1 - unit * 1e-6].filter { error($0) > 1e-15 }
    }
    #expect(wrong.count == 0, "for example ln \(wrong.first ?? 1)")
  }

  @Test func `the logarithm of one is exactly zero`() {
    #expect(naturalLogarithm(1) == 0)
    #expect(naturalLogarithm(2) == 0.6931471805599453)
    #expect(naturalLogarithm(Double(1).nextUp) == Double(1).ulp)
  }

  /// By bit pattern: captured values of an exit test are passed as JSON, which has no infinity.
  @Test(arguments: [0, -1, Double.infinity, .nan].map(\.bitPattern))
  func `a number without a logarithm traps`(pattern: UInt64) async {
    await #expect(processExitsWith: .failure) { [pattern] in
      _ = naturalLogarithm(Double(bitPattern: pattern))
    }
  }
}
