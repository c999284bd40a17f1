import SDOpenAPI

/// The content that answers a request.
struct ContentChoice {
    var content: APIContent
    /// The content type that is sent.
    var type: String

    /// Chooses by `Accept`: by weight, of equals by the order in which a client names them; where it names a range,
    /// JSON stands first, then the order of the document.
    /// - Parameter accept: the values of the header; empty without one.
    /// - Returns: nil if nothing is acceptable.
    static func best(of contents: [APIContent], accept: [String]) -> ContentChoice? {
        let wanted = accept.flatMap(MediaRange.list)
        guard !wanted.isEmpty else { return first(of: contents) }
        var best: (rank: [Int], choice: ContentChoice)?
        for (place, content) in contents.enumerated() {
            guard let offered = MediaRange(content.type[...]) else { continue }
            // What is said most precisely about a type is its weight.
            let meeting = wanted.enumerated().filter { $0.element.meets(offered) }
            guard let match = meeting.max(by: { $0.element.precision < $1.element.precision }),
                match.element.weight > 0
            else { continue }
            let order = match.element.isConcrete ? match.offset : wanted.count + match.offset
            let rank = [-match.element.weight, order, offered.isJSON ? 0 : 1, place]
            if let known = best, !rank.lexicographicallyPrecedes(known.rank) { continue }
            let type = offered.isConcrete ? content.type : match.element.filling(offered)
            best = (rank, ContentChoice(content: content, type: type))
        }
        return best?.choice
    }

    /// The content for clients that want nothing special: JSON, or the first.
    static func first(of contents: [APIContent]) -> ContentChoice? {
        let ranges = contents.map { MediaRange($0.type[...]) }
        let place = ranges.firstIndex { $0?.isJSON ?? false } ?? ranges.firstIndex { $0?.isConcrete ?? false } ?? 0
        guard contents.indices.contains(place) else { return nil }
        let content = contents[place]
        guard let range = ranges[place], !range.isConcrete else {
            return ContentChoice(content: content, type: content.type)
        }
        return ContentChoice(content: content, type: range.usualType)
    }
}

extension MediaRange {
    /// Whether it is JSON, as `application/json`, `application/hal+json` or `text/json`.
    var isJSON: Bool { subtype == "json" || subtype.hasSuffix("+json") }

    /// The type that is sent where the document has a range, and this is what the client wants.
    fileprivate func filling(_ offered: MediaRange) -> String {
        if isConcrete { return "\(type)/\(subtype)" }
        return (offered.type == "*" ? self : offered).usualType
    }

    /// A type within the range.
    var usualType: String {
        switch type {
        case "text": "text/plain"
        case "image": "image/png"
        case "audio": "audio/mpeg"
        case "video": "video/mp4"
        case "multipart": "multipart/mixed"
        default: "application/json"
        }
    }
}
