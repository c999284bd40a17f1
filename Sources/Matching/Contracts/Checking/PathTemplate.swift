import SDPlatform

/// A path of a description, such as `/pets/{petId}.json`, split at its slashes.
struct PathTemplate: Sendable {
    enum Segment: Sendable, Hashable {
        case literal(String)
        case variable(String)
        /// Literals and variables, such as `{a}-{b}`.
        case mixed([Part])
        /// The rest of a path, such as `{proxy+}`.
        case rest(String)
    }

    enum Part: Sendable, Hashable {
        case literal(String)
        case variable(String)
    }

    let segments: [Segment]

    init(_ path: String) {
        // A query or fragment in a path is a trick to distinguish operations, and never sent.
        let path = path.prefix { $0 != "#" && $0 != "?" }
        segments = Self.split(Array(path.utf8)).map(Self.segment)
    }

    /// The segments of a path, undecoded; one empty segment for `/`.
    static func split(_ path: [UInt8]) -> [ArraySlice<UInt8>] {
        let slash = UInt8(ascii: "/")
        return (path.first == slash ? path.dropFirst() : path[...])
            .split(separator: slash, omittingEmptySubsequences: false)
    }

    static func decoded(_ text: some Sequence<UInt8>) -> String {
        String(decoding: PercentEncoding.decodeLeniently(Array(text)[...]), as: UTF8.self)
    }

    private static func segment(_ text: ArraySlice<UInt8>) -> Segment {
        var pieces: [Part] = []
        var rest = text
        while let open = rest.firstIndex(of: UInt8(ascii: "{")),
            let close = rest[open...].firstIndex(of: UInt8(ascii: "}"))
        {
            if open > rest.startIndex { pieces.append(.literal(decoded(rest[..<open]))) }
            pieces.append(.variable(String(decoding: rest[(open + 1)..<close], as: UTF8.self)))
            rest = rest[(close + 1)...]
        }
        if !rest.isEmpty || pieces.isEmpty { pieces.append(.literal(decoded(rest))) }
        guard pieces.count == 1 else { return .mixed(pieces) }
        switch pieces[0] {
        case .literal(let text): return .literal(text)
        case .variable(let name):
            let isRest = name.count > 1 && (name.hasSuffix("+") || name.hasPrefix("+"))
            return isRest ? .rest(name.filter { $0 != "+" }) : .variable(name)
        }
    }

    /// The undecoded values of the variables, by name; nil if the path does not match.
    func values(in path: [ArraySlice<UInt8>]) -> [String: ArraySlice<UInt8>]? {
        var values: [String: ArraySlice<UInt8>] = [:]
        for (index, segment) in segments.enumerated() {
            guard index < path.count else { return nil }
            switch segment {
            case .literal(let text): if Self.decoded(path[index]) != text { return nil }
            case .variable(let name):
                if path[index].isEmpty { return nil }
                values[name] = path[index]
            case .mixed(let pieces):
                guard let found = Self.values(of: pieces, in: path[index]) else { return nil }
                values.merge(found) { $1 }
            case .rest(let name):
                let left = Array(path[index...].joined(separator: [UInt8(ascii: "/")]))
                if left.isEmpty { return nil }
                values[name] = left[...]
                return values
            }
        }
        return segments.count == path.count ? values : nil
    }

    /// The values of a segment's variables, each as short as possible and not empty.
    static func values(of pieces: [Part], in text: ArraySlice<UInt8>) -> [String: ArraySlice<UInt8>]? {
        var values: [String: ArraySlice<UInt8>] = [:]
        var rest = text
        var open: String?
        for piece in pieces {
            switch piece {
            case .variable(let name):
                // Of two adjacent variables, the first gets one byte.
                if let before = open {
                    guard let first = rest.popFirst() else { return nil }
                    values[before] = [first]
                }
                open = name
            case .literal(let literal):
                let wanted = Array(literal.utf8)
                if let name = open {
                    guard rest.count > wanted.count,
                        let place = (rest.startIndex + 1...rest.endIndex - wanted.count).first(where: {
                            rest[$0...].starts(with: wanted)
                        })
                    else { return nil }
                    values[name] = rest[..<place]
                    rest = rest[(place + wanted.count)...]
                    open = nil
                } else {
                    guard rest.starts(with: wanted) else { return nil }
                    rest = rest.dropFirst(wanted.count)
                }
            }
        }
        guard let open else { return rest.isEmpty ? values : nil }
        if rest.isEmpty { return nil }
        values[open] = rest
        return values
    }
}
