public import HTTPTransport

/// The response for a file: whole, in ranges (RFC 9110, section 14), or none if the client already has it or wants
/// another version (section 13).
public struct FileResponse {
    private let file: BodyFile
    private let mediaType: String
    /// The time of the last change in seconds since 1970, the precision of HTTP dates.
    private let modified: Int
    private let tag: String

    public init(_ file: BodyFile, mediaType: String) {
        self.file = file
        self.mediaType = mediaType
        modified = Int(file.modified / 1_000_000_000)
        tag = "\"" + String(file.modified, radix: 16) + "-" + String(file.content.count, radix: 16) + "\""
    }

    public func response(to request: Request) -> PlainResponse {
        if isUnwanted(request) { return PlainResponse(status: 412, headers: validators) }
        if isKnown(request) { return PlainResponse(status: 304, headers: validators) }
        let type = [(name: "Content-Type", value: mediaType)]
        guard let asked = request.text("range"), rangeHolds(request) else {
            return PlainResponse(status: 200, headers: validators + type, content: [file.content])
        }
        let ranges = ByteRanges(asked, of: file.content.count).ranges
        switch ranges.count {
        case 0:
            let none = (name: "Content-Range", value: "bytes */\(file.content.count)")
            return PlainResponse(status: 416, headers: validators + [none])
        case 1:
            let part = (name: "Content-Range", value: contentRange(ranges[0]))
            return PlainResponse(
                status: 206, headers: validators + type + [part], content: [file.content[ranges[0]]])
        default: return multipart(ranges)
        }
    }

    private var validators: [(name: String, value: String)] {
        [("Last-Modified", HTTPDate.text(modified)), ("ETag", tag), ("Accept-Ranges", "bytes")]
    }

    // MARK: Conditions

    private func isUnwanted(_ request: Request) -> Bool {
        if let match = request.text("if-match") { return !names(match) }
        guard let date = request.text("if-unmodified-since").flatMap(HTTPDate.seconds) else { return false }
        return modified > date
    }

    private func isKnown(_ request: Request) -> Bool {
        if let match = request.text("if-none-match") { return names(match) }
        guard let date = request.text("if-modified-since").flatMap(HTTPDate.seconds) else { return false }
        return modified <= date
    }

    /// Whether the requested ranges refer to this version of the file.
    private func rangeHolds(_ request: Request) -> Bool {
        guard let condition = request.text("if-range") else { return true }
        return condition.hasPrefix("\"") ? condition == tag : HTTPDate.seconds(condition) == modified
    }

    private func names(_ list: String) -> Bool {
        list.split(separator: ",").contains { entry in
            let name = entry.filter { $0 != " " }
            return name == "*" || name == tag || name == "W/" + tag
        }
    }

    // MARK: Parts

    private func contentRange(_ range: Range<Int>) -> String {
        "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(file.content.count)"
    }

    private func multipart(_ ranges: [Range<Int>]) -> PlainResponse {
        let boundary = "stuntdouble" + String(file.modified, radix: 36) + String(file.version, radix: 36)
        var parts: [BodyContent] = []
        for range in ranges {
            let head = "--\(boundary)\r\nContent-Type: \(mediaType)\r\nContent-Range: \(contentRange(range))\r\n\r\n"
            parts += [.bytes(Array(head.utf8)), file.content[range], .bytes(Array("\r\n".utf8))]
        }
        parts.append(.bytes(Array("--\(boundary)--\r\n".utf8)))
        let type = (name: "Content-Type", value: "multipart/byteranges; boundary=\(boundary)")
        return PlainResponse(status: 206, headers: validators + [type], content: parts)
    }
}

extension Request {
    /// The first header with this name, as text.
    fileprivate func text(_ name: String) -> String? {
        header(Array(name.utf8)).map { String(decoding: $0, as: UTF8.self) }
    }
}
