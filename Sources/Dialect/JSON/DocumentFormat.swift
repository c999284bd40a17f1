/// The format of a document file.
public enum DocumentFormat: String, Sendable, Hashable, CaseIterable {
    /// JSON as WireMock parses it: comments and single quotes are allowed.
    case json
    /// YAML 1.2, parsed into JSON values.
    case yaml

    /// The format for an extension in any case: `.json`, `.yaml` or `.yml`. Nil for any other file.
    public init?(path: String) {
        guard let dot = path.utf8.lastIndex(of: UInt8(ascii: ".")) else { return nil }
        switch path[path.utf8.index(after: dot)...].lowercased() {
        case "json": self = .json
        case "yaml", "yml": self = .yaml
        default: return nil
        }
    }
}
