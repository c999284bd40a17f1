import SDJSON
import SDStubModel

/// Finds names that no header can have (RFC 9110, section 5.6.2).
enum HeaderNameLint {
    static func finding(_ name: String, at path: [String]) -> LintFinding? {
        guard !HTTPToken.isToken(name) else { return nil }
        var better = name
        while let last = better.last, last == ":" || last == " " { better.removeLast() }
        better = String(better.drop { $0 == " " || $0 == ":" }.map { $0 == " " ? "-" : $0 })
        let bad = name.first { !HTTPToken.isToken(String($0)) }
        let what =
            switch bad {
            case nil: "cannot be empty"
            case " "?: "cannot contain spaces"
            case let character?: "cannot contain \(JSONValue.string(String(character)).compactText)"
            }
        return LintFinding(
            code: .headerName, pointer: JSONPointer(path + [name]), message: "a header name \(what)",
            expected: "letters, digits and signs such as -", isAboutName: true,
            suggestion: HTTPToken.isToken(better) ? better : nil)
    }
}
