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
        tag = "\"" + String(file.modified, radix: 16) + "-" + String(file.content.count, radix: 16) + "\""
    }

    public func response(to request: Request) -> PlainResponse {
        if isUnwanted(request) { return PlainResponse(status: 412, headers: validators) }
        if isKnown(request) { return PlainResponse(status: 304, headers: validators) }
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

    /// Whether an `If-Range` refers to this version of the file.
    private func isThisVersion(_ condition: String) -> Bool {
        condition.hasPrefix("\"") ? condition == tag : HTTPDate.seconds(condition) == modified
    }

    private func names(_ list: String) -> Bool {
        list.split(separator: ",").contains { entry in
            let name = entry.filter { $0 != " " }
            return name == "*" || name == tag || name == "W/" + tag
        }
    }
}

extension Request {
    /// The first header with this name, as text.
    fileprivate func text(_ name: String) -> String? {
        header(Array(name.utf8)).map { String(decoding: $0, as: UTF8.self) }
    }
}
