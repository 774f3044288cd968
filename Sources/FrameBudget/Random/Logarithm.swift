/// The natural logarithm of a positive, finite number, from additions, multiplications and divisions only.
///
/// IEEE 754 fixes those to the bit; the C library's `log` differs between systems, and with it every
/// random arrival. `ln x = e ln 2 + 2 artanh((m - 1) / (m + 1))` with `x = m * 2^e`, `m` near 1.
func naturalLogarithm(_ value: Double) -> Double {
  precondition(value > 0 && value.isFinite, "a positive number")
  var mantissa = value.significand
  var exponent = Double(value.exponent)
  if mantissa > 1.4142135623730951 {
    mantissa /= 2
    exponent += 1
  }
  let ratio = (mantissa - 1) / (mantissa + 1)
  let square = ratio * ratio
  var series = 0.0
  for odd in stride(from: 25.0, through: 1.0, by: -2.0) { series = series * square + 1 / odd }
  return exponent * 0.6931471805599453 + 2 * ratio * series
}
