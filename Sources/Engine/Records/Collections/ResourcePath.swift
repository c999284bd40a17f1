import SDPlatform

/// The path of a collection, split into segments: `/users/{userId}/posts`.
package struct ResourcePath: Sendable, Hashable {
    package enum Segment: Sendable, Hashable {
        /// A literal segment, as it is sent.
        case literal(String)
        case variable(String)
    }

    package let segments: [Segment]

    package init(_ text: String) {
        segments = text.split(separator: "/").map { part in
            part.hasPrefix("{") && part.hasSuffix("}")
                ? .variable(String(part.dropFirst().dropLast())) : .literal(String(part))
        }
    }

    private init(_ segments: some Sequence<Segment>) {
        self.segments = Array(segments)
    }

    /// The values in a request's path: those of the variables, and the key of a record unless the path is the
    /// collection's.
    package struct Match: Sendable {
        package let values: [String]
        package let key: String?
    }

    /// The match of a path; nil if it is neither the collection's nor a record's.
    package func match(_ path: ArraySlice<UInt8>) -> Match? {
        let parts = path.split(separator: UInt8(ascii: "/"))
        guard parts.count == segments.count || parts.count == segments.count + 1 else { return nil }
        var values: [String] = []
        for (segment, part) in zip(segments, parts) {
            switch segment {
            case .literal(let text): guard part.elementsEqual(text.utf8) else { return nil }
            case .variable: values.append(Self.decoded(part))
            }
        }
        return Match(values: values, key: parts.count > segments.count ? parts.last.map(Self.decoded) : nil)
    }

    private static func decoded(_ part: ArraySlice<UInt8>) -> String {
        String(decoding: PercentEncoding.decodeLeniently(part), as: UTF8.self)
    }

    package var variables: [String] {
        segments.compactMap { if case .variable(let name) = $0 { name } else { nil } }
    }

    /// The path of the collection whose records the last variable identifies; nil without a variable.
    package var parent: ResourcePath? {
        guard let last = segments.lastIndex(where: { if case .variable = $0 { true } else { false } }), last > 0 else {
            return nil
        }
        return ResourcePath(segments[..<last])
    }

    /// Whether two paths differ at most in the names of variables.
    func hasShape(of other: ResourcePath) -> Bool {
        segments.count == other.segments.count
            && zip(segments, other.segments).allSatisfy { left, right in
                switch (left, right) {
                case (.literal(let left), .literal(let right)): left == right
                case (.variable, .variable): true
                default: false
                }
            }
    }
}
