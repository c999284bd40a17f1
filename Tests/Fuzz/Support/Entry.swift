/// What libFuzzer calls with each input. The Swift fuzz targets are `Tests/Fuzz/NAME.swift`: each is one function
/// `fuzz(_:)`, linked with this file. This one alone touches libFuzzer's memory.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    fuzz(Array(UnsafeBufferPointer(start: bytes, count: count)))
    return 0
}

/// Ends the run where a property does not hold. `precondition` would say nothing in an optimised build.
func require(_ holds: Bool, _ property: @autoclosure () -> String) {
    guard !holds else { return }
    fatalError("does not hold: " + property())
}

extension [UInt8] {
    /// What stands before the first NUL and what stands behind it; nil for what is not there.
    var halves: (first: [UInt8], second: [UInt8]?) {
        guard let place = firstIndex(of: 0) else { return (self, nil) }
        return (Array(self[..<place]), Array(self[(place + 1)...]))
    }

    var text: String { String(decoding: self, as: UTF8.self) }
}
