public import SDHTTPTransport

/// The ranges of a body that a request asks for (RFC 9110, section 14).
public struct RangeSelection {
    /// 206, or 416 if no range is satisfiable.
    public let status: Int
    /// Content-Range, and Content-Type for several ranges.
    public let headers: [(name: String, value: String)]
    /// The ranges, or nothing.
    public let content: [BodyContent]
    /// Whether the answer has the body's own type.
    public let keepsType: Bool

    /// Parses the ranges of a request; nil if it asks for the whole body.
    /// - Parameters:
    ///   - mediaType: the type of the body; nil if it has none.
    ///   - boundary: the separator of several ranges.
    ///   - holdsIf: whether the validator in `If-Range` is that of the body.
    public init?(
        _ request: Request, of body: BodyContent, mediaType: String?, boundary: String, holdsIf: (String) -> Bool
    ) {
        func text(_ name: String) -> String? {
            request.header(Array(name.utf8)).map { String(decoding: $0, as: UTF8.self) }
        }
        guard let asked = text("range"), text("if-range").map(holdsIf) ?? true else { return nil }
        func contentRange(_ range: Range<Int>) -> String {
            "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(body.count)"
        }
        let ranges = ByteRanges(asked, of: body.count).ranges
        status = ranges.isEmpty ? 416 : 206
        keepsType = ranges.count == 1
        switch ranges.count {
        case 0:
            headers = [("Content-Range", "bytes */\(body.count)")]
            content = []
        case 1:
            headers = [("Content-Range", contentRange(ranges[0]))]
            content = [body[ranges[0]]]
        default:
            headers = [("Content-Type", "multipart/byteranges; boundary=\(boundary)")]
            let type = mediaType.map { "Content-Type: \($0)\r\n" } ?? ""
            var parts: [BodyContent] = []
            for range in ranges {
                let head = "--\(boundary)\r\n\(type)Content-Range: \(contentRange(range))\r\n\r\n"
                parts += [.bytes(Array(head.utf8)), body[range], .bytes(Array("\r\n".utf8))]
            }
            content = parts + [.bytes(Array("--\(boundary)--\r\n".utf8))]
        }
    }
}
