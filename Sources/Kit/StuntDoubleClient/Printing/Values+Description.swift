#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension MockServer.ReceivedRequest: CustomStringConvertible {
    /// The request in one line, with the status of its answer: `#3 POST /orders {"id":7} → 201`.
    public var description: String {
        var line = "#\(sequence) \(method) \(target)"
        let body = String(text.map { $0.isNewline ? " " : $0 })
        if !body.isEmpty { line += " " + LanguageText.short(body) }
        return line + (status.map { " → \($0)" } ?? "")
    }
}

extension MockServer.Gate.Waiting: CustomStringConvertible {
    /// The request in one line: `#3 POST /orders`.
    public var description: String { "#\(sequence) \(method) \(target)" }
}

extension MockServer: CustomStringConvertible {
    /// The server's URL.
    public var description: String { url.absoluteString }
}
