public import SDHTTPTransport

/// The validators of a response, and what the conditions of a request say about them (RFC 9110, section 13).
public struct Validators: Sendable {
    /// The entity tag as sent; nil for none.
    private let tag: String?
    /// The time of the last change in seconds since 1970; nil for none.
    private let modified: Int?

    public init(tag: String?, modified: Int?) {
        self.tag = tag
        self.modified = modified
    }

    /// Takes both from header values. A malformed `Last-Modified` counts as missing.
    public init(tag: String?, lastModified: String?) {
        self.init(tag: tag, modified: lastModified.flatMap(HTTPDate.seconds))
    }

    /// Whether the client has this version, so that GET and HEAD get a 304. If there is an `If-None-Match`,
    /// `If-Modified-Since` is ignored (section 13.2.2).
    public func areKnown(to request: Request) -> Bool {
        if let tags = EntityTags(request, "if-none-match") { return tags.name(tag) }
        guard let modified, let date = Self.date("if-modified-since", of: request) else { return false }
        return modified <= date
    }

    /// Whether the client demands another version, so that it gets a 412.
    public func areUnwanted(by request: Request) -> Bool {
        if let tags = EntityTags(request, "if-match") { return !tags.name(tag) }
        guard let modified, let date = Self.date("if-unmodified-since", of: request) else { return false }
        return modified > date
    }

    private static func date(_ name: String, of request: Request) -> Int? {
        request.header(Array(name.utf8)).flatMap { HTTPDate.seconds(String(decoding: $0, as: UTF8.self)) }
    }
}

/// The entity tags in a condition of a request: `*`, or a list of them, in one header line or several.
public struct EntityTags: Sendable {
    /// The tags without the `W/` of weak ones.
    private var tags: [ArraySlice<UInt8>] = []
    private var isAny = false

    /// Parses a header; nil if it is missing.
    /// - Parameter header: its name in lower case.
    public init?(_ request: Request, _ header: String) {
        var isThere = false
        request.forEachHeaderValue(Array(header.utf8)) { value in
            isThere = true
            add(value)
            return true
        }
        if !isThere { return nil }
    }

    /// Whether a tag is listed. Compares weakly (section 8.8.3.2): clients and intermediaries mark strong tags as weak.
    /// `*` matches even without a tag.
    /// - Parameter tag: the tag as sent; nil for none.
    public func name(_ tag: String?) -> Bool {
        if isAny { return true }
        guard let tag else { return false }
        let opaque = Self.opaque(Array(tag.utf8)[...])
        return tags.contains { $0 == opaque }
    }

    private mutating func add(_ value: ArraySlice<UInt8>) {
        var rest = value
        while true {
            rest = rest.drop { Self.isBlank($0) || $0 == UInt8(ascii: ",") }
            guard let first = rest.first else { return }
            if first == UInt8(ascii: "*") { isAny = true }
            rest = Self.opaque(rest)
            var end = rest.startIndex
            if rest.first == UInt8(ascii: "\"") {
                // A comma within quotes is part of the tag.
                end = rest.dropFirst().firstIndex(of: UInt8(ascii: "\"")).map { $0 + 1 } ?? rest.endIndex
            } else {
                end = rest.firstIndex { $0 == UInt8(ascii: ",") || Self.isBlank($0) } ?? rest.endIndex
            }
            tags.append(rest[..<end])
            rest = rest[end...]
        }
    }

    private static func opaque(_ tag: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        tag.starts(with: "W/".utf8) ? tag.dropFirst(2) : tag
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
}

extension BodyFile {
    /// The entity tag of this version, from its time and size.
    public var tag: String {
        "\"" + String(modified, radix: 16) + "-" + String(content.count, radix: 16) + "\""
    }
}
