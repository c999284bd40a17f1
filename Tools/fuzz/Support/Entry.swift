/// Called by libFuzzer with each input. Each fuzz target `Tools/fuzz/NAME.swift` is one function `fuzz(_:)` linked with
/// this file, the only one that touches libFuzzer's memory.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    fuzz(Array(UnsafeBufferPointer(start: bytes, count: count)))
    return 0
}

/// Ends the run if a property does not hold. `precondition` would print nothing in an optimised build.
func require(_ holds: Bool, _ property: @autoclosure () -> String) {
    guard !holds else { return }
    fatalError("does not hold: " + property())
}

extension [UInt8] {
    /// The bytes before and after the first NUL; the second is nil without one.
    var halves: (first: [UInt8], second: [UInt8]?) {
        guard let place = firstIndex(of: 0) else { return (self, nil) }
        return (Array(self[..<place]), Array(self[(place + 1)...]))
    }

    var text: String { String(decoding: self, as: UTF8.self) }
}
