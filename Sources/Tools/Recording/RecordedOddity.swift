import SDLinting
import SDStubModel

extension StubMapping {
    /// Marks a stub that looks like a mistake but was recorded, such as one for the method `get`.
    mutating func markUnusual() {
        if !StubLint.findings(in: self).isEmpty { markAsRecorded() }
    }
}
