import Glibc
import FrameBudgetParsing

/// Feeds libFuzzer's inputs to the parser that `FUZZ_TARGET` names.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ data: UnsafePointer<UInt8>, _ size: Int) -> CInt {
  let bytes = unsafe Array(UnsafeBufferPointer(start: data, count: size))
  do {
    try target.parse(bytes)
  } catch {
    // An error is a valid outcome if it is one line.
    if let error = error as? InputError {
      precondition(!error.description.contains("\n"), "an error of several lines")
    }
  }
  return 0
}

private let target: FuzzTarget = {
  let name = unsafe getenv("FUZZ_TARGET").map { unsafe String(cString: $0) } ?? "none"
  guard let target = FuzzTarget(rawValue: name) else {
    preconditionFailure("FUZZ_TARGET is one of \(FuzzTarget.allCases.map(\.rawValue))")
  }
  return target
}()
