import SDBasics
import SDStubModel

/// Query parameters that a call does not have. WireMock ignores them, and with them the client's intention.
extension AdminRoute {
    /// The error for a query with an unknown parameter; nil if there is none.
    func refusal(of query: [String: String]) -> AdminError? {
        guard let parameters, !query.isEmpty else { return nil }
        let unknown = query.keys.filter { !parameters.contains($0) && !Self.defeatsCaches($0) }.sorted()
        if unknown.isEmpty { return nil }
        return AdminError(
            400,
            ErrorDocument(
                unknown.map { name in
                    var detail =
                        parameters.isEmpty
                        ? "\(method) /__admin\(path == "/" ? "" : path) has no query parameters"
                        : "expected one of \(parameters.joined(separator: ", "))"
                    detail += didYouMean(
                        nearestName(to: name, among: parameters) ?? parameters.first { Self.begins(name, with: $0) })
                    if method == "GET", RequestPattern.names.contains(name) {
                        detail += "; criteria for requests are the JSON body of a POST"
                    }
                    return ErrorDocument.Item(
                        code: 10, pointer: name, title: "Unknown query parameter \"\(name)\"", detail: detail)
                }))
    }

    /// Whether a name starts with another as a word, as options do: `fail-on`, `failOn` for `fail`.
    private static func begins(_ name: String, with other: String) -> Bool {
        guard name.hasPrefix(other), let next = name.dropFirst(other.count).first else { return false }
        return next == "-" || next == "_" || next.isUppercase
    }

    /// Whether clients add the parameter to bypass caches: `_=1700000000`, `?1700000000`.
    private static func defeatsCaches(_ name: String) -> Bool {
        ["", "_", "_t", "_ts", "t", "ts", "cb", "nocache", "cacheBuster"].contains(name)
            || name.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }
}
