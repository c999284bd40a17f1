import SDBasics
package import SDContracts
import SDJSON
import SDJournal

extension Redaction? {
    /// Violations with secrets redacted.
    package func redacted(_ violations: [Violation]) -> [Violation] {
        guard let self else { return violations }
        return violations.map { self.redacted($0) }
    }
}

extension Redaction {
    fileprivate func redacted(_ violation: Violation) -> Violation {
        var shown = violation
        if hides(violation) {
            shown.found = violation.found.map { _ in Self.mark }
            if let place = violation.message.firstRange(ofText: ", found ") {
                shown.message = violation.message[..<place.upperBound] + Self.mark
            } else if violation.keyword == nil {
                // A parser quotes what it found in its own words.
                shown.message = String(violation.message.prefix { $0 != ":" })
            }
        }
        shown.found = shown.found.map(text)
        shown.message = text(shown.message)
        return shown
    }

    /// Whether the found value may be a secret: by a name, or because the body has no names.
    private func hides(_ violation: Violation) -> Bool {
        switch violation.location {
        case .cookie: return true
        case .status, .method, .security, .contentType: return false
        case .path, .query, .header, .body: break
        }
        if let name = violation.name, hides(name) { return true }
        if violation.pointer.tokens.contains(where: hides) { return true }
        return violation.pointer.tokens.isEmpty && violation.found?.utf8.contains(UInt8(ascii: "\"")) == true
            && (violation.location == .body || violation.keyword == nil)
    }
}
