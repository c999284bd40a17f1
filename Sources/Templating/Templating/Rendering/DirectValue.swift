/// A common value that can be written directly to the output, without a model of the request.
public enum DirectValue: Sendable, Equatable {
    /// The first value of a header, by its lower-case ASCII name.
    case header([UInt8])
    /// The first value of a query parameter.
    case query([UInt8])
    /// A path variable.
    case pathVariable(String)
    /// The method of the request.
    case method
    /// The path and query of the request.
    case url
    /// `now` in its usual format.
    case now
    /// A random UUID.
    case uuid

    /// The value of an expression.
    /// - Returns: nil for an expression that needs a lookup, or calls another helper.
    init?(
        _ subject: TemplateOperand, _ helper: NamedHelper?, _ parameters: [TemplateOperand],
        _ hash: [(name: String, value: TemplateOperand)]
    ) {
        guard parameters.isEmpty, case .path(let path) = subject else { return nil }
        switch (helper?.name, hash.count) {
        case ("now", 0): self = .now
        case ("randomValue", 1):
            guard hash[0].name == "type", case .literal(.text("UUID")) = hash[0].value else { return nil }
            self = .uuid
        case (nil, 0):
            guard let direct = path.direct else { return nil }
            self = direct
        default: return nil
        }
    }

    /// The value at a path.
    init?(_ segments: [String]) {
        // `this` is the preceding value, not a member.
        guard let name = segments.last, name != "this" else { return nil }
        if segments == ["request", "method"] {
            self = .method
            return
        }
        if segments == ["request", "url"] {
            self = .url
            return
        }
        switch segments.dropLast() {
        case ["request", "headers"]: self = .header(name.utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 })
        case ["request", "query"]: self = .query(Array(name.utf8))
        case ["request", "path"], ["request", "pathSegments"], ["path"]: self = .pathVariable(name)
        default: return nil
        }
    }
}
