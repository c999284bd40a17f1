/// How to read a text, judging by its content type.
struct TypeOfText {
    var charset: String?
    var boundary: [UInt8]?
    var isForm = false
    var isEventStream = false
    var style = PairSecrets.Style.plain

    /// Suffixes of the type names of program code.
    private static let codes = [
        "javascript", "ecmascript", "jscript", "typescript", "css", "graphql", "python", "x-sh", "wasm",
    ]

    init(_ contentType: String?) {
        guard let contentType else { return }
        let lowercase = contentType.lowercased()
        isForm = lowercase.hasPrefix("application/x-www-form-urlencoded")
        isEventStream = lowercase.hasPrefix("text/event-stream")
        let mediaType = lowercase.prefix { $0 != ";" }
        if Self.codes.contains(where: mediaType.hasSuffix) {
            style = .code
        } else if mediaType.hasPrefix("text/markdown") || mediaType.hasPrefix("text/html") {
            style = .prose
        }
        for parameter in contentType.split(separator: ";").dropFirst() {
            guard let sign = parameter.firstIndex(of: "=") else { continue }
            let value = parameter[parameter.index(after: sign)...].filter { $0 != "\"" && $0 != " " }
            switch parameter[..<sign].filter({ $0 != " " }).lowercased() {
            case "charset": charset = value
            case "boundary": boundary = Array(value.utf8)
            default: break
            }
        }
    }
}
