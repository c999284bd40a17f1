public import SDHTTPTransport

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
        tag = file.tag
    }

    public func response(to request: Request) -> PlainResponse {
        let conditions = Validators(tag: tag, modified: modified)
        if conditions.areUnwanted(by: request) { return PlainResponse(status: 412, headers: validators) }
        if conditions.areKnown(to: request) { return PlainResponse(status: 304, headers: validators) }
        let type = [(name: "Content-Type", value: mediaType)]
        let boundary = "stuntdouble" + String(file.modified, radix: 36) + String(file.version, radix: 36)
        let selection = RangeSelection(
            request, of: file.content, mediaType: mediaType, boundary: boundary, holdsIf: isThisVersion)
        guard let selection else {
            return PlainResponse(status: 200, headers: validators + type, content: [file.content])
        }
        return PlainResponse(
            status: selection.status, headers: validators + (selection.keepsType ? type : []) + selection.headers,
            content: selection.content)
    }

    private var validators: [(name: String, value: String)] {
        [("Last-Modified", HTTPDate.text(modified)), ("ETag", tag), ("Accept-Ranges", "bytes")]
    }

    /// Whether an `If-Range` refers to this version of the file.
    private func isThisVersion(_ condition: String) -> Bool {
        condition.hasPrefix("\"") ? condition == tag : HTTPDate.seconds(condition) == modified
    }
}
