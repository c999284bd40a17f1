import SDLinting
import SDStubModel

extension StubMapping {
    /// Marks a stub that looks like a mistake, such as one for the method `get`: it was recorded so. Others need no mark.
    mutating func markUnusual() {
        if !StubLint.findings(in: self).isEmpty { markAsRecorded() }
    }
}
