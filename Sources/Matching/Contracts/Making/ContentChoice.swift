import SDOpenAPI

/// The content chosen for a request.
struct ContentChoice {
    var content: APIContent
    /// The content type to send.
    var type: String

    /// Chooses by `Accept`: by weight, then by the client's order. Within a range JSON comes first, then the document's
    /// order.
    /// - Parameter accept: the values of the header; empty without one.
    /// - Returns: nil if nothing is acceptable.
    static func best(of contents: [APIContent], accept: [String]) -> ContentChoice? {
        let wanted = accept.flatMap(MediaRange.list)
        guard !wanted.isEmpty else { return first(of: contents) }
        var best: (rank: [Int], choice: ContentChoice)?
        for (place, content) in contents.enumerated() {
            guard let offered = MediaRange(content.type[...]) else { continue }
            // The most precise range for a type determines its weight.
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

    /// The content for clients without preferences: JSON, or the first.
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
    /// Whether it is JSON, such as `application/json`, `application/hal+json` or `text/json`.
    var isJSON: Bool { subtype == "json" || subtype.hasSuffix("+json") }

    /// The type to send if the document has a range.
    fileprivate func filling(_ offered: MediaRange) -> String {
        if isConcrete { return "\(type)/\(subtype)" }
        return (offered.type == "*" ? self : offered).usualType
    }

    /// A concrete type within the range.
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
