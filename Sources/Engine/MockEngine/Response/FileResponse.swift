import HTTPTransport
import JavaTime

/// The response for a file: whole, in ranges (RFC 9110, section 14), or none if the client already has it or wants
/// another version (section 13).
struct FileResponse {
    private let file: BodyFile
    private let mediaType: String
    /// The time of the last change in seconds since 1970, the precision of HTTP dates.
    private let modified: Int
    private let tag: String

    init(_ file: BodyFile, mediaType: String) {
        self.file = file
        self.mediaType = mediaType
        modified = Int(file.modified / 1_000_000_000)
        tag = "\"" + String(file.modified, radix: 16) + "-" + String(file.content.count, radix: 16) + "\""
    }

    func response(to request: Request) -> PlainResponse {
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

/// The ranges requested by `Range`. As in WireMock, an unknown unit or malformed value requests ranges that do not
/// exist.
struct ByteRanges {
    /// The ranges in order, without overlaps.
    let ranges: [Range<Int>]

    /// The most ranges in a request.
    private static let most = 100

    init(_ text: String, of size: Int) {
        let unit = "bytes="
        guard text.hasPrefix(unit) else {
            ranges = []
            return
        }
        var asked: [Range<Int>] = []
        for part in text.dropFirst(unit.count).split(separator: ",").prefix(Self.most) {
            if let range = Self.range(part.filter { $0 != " " && $0 != "\t" }, of: size) { asked.append(range) }
        }
        var merged: [Range<Int>] = []
        for range in asked.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = merged.last, range.lowerBound <= last.upperBound {
                merged[merged.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
            } else {
                merged.append(range)
            }
        }
        ranges = merged
    }

    /// Parses `2-4`, `2-` or `-2`; nil for anything else, and for a range outside of the file.
    private static func range(_ text: String, of size: Int) -> Range<Int>? {
        let ends = text.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard ends.count == 2 else { return nil }
        if ends[0].isEmpty {
            guard let count = number(ends[1]), count > 0, size > 0 else { return nil }
            return max(0, size - count)..<size
        }
        guard let first = number(ends[0]), first < size else { return nil }
        if ends[1].isEmpty { return first..<size }
        guard let last = number(ends[1]), last >= first else { return nil }
        return first..<min(last, size - 1) + 1
    }

    /// Parses digits; a number that is too large becomes the largest one.
    private static func number(_ text: String) -> Int? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int(text) ?? .max
    }
}

/// Dates in HTTP headers (RFC 9110, section 5.6.7), in seconds since 1970.
enum HTTPDate {
    private static let days = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// The date in the preferred form: `Sun, 06 Nov 1994 08:49:37 GMT`.
    static func text(_ seconds: Int) -> String {
        guard let time = LocalDateTime(Moment(seconds: seconds), offset: 0) else { return text(0) }
        func two(_ number: Int) -> String { (number < 10 ? "0" : "") + String(number) }
        let date = time.date
        return "\(days[date.dayOfWeek - 1]), \(two(date.day)) \(months[date.month - 1]) \(date.year) "
            + "\(two(time.hour)):\(two(time.minute)):\(two(time.second)) GMT"
    }

    /// Parses any form of HTTP's dates; nil for anything else.
    static func seconds(_ text: String) -> Int? {
        DateText.parseZoned(text)?.moment.seconds
    }
}

extension Request {
    /// The first header with this name, as text.
    fileprivate func text(_ name: String) -> String? {
        header(Array(name.utf8)).map { String(decoding: $0, as: UTF8.self) }
    }
}
