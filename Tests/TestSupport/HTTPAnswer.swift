public import SDJSON

/// A parsed HTTP response.
public struct HTTPAnswer {
    public let status: Int
    public let reason: String
    /// The header fields in their order and letter case.
    public let headers: [(name: String, value: String)]
    /// The body without its chunks.
    public let body: [UInt8]

    /// Parses a response; nil if the bytes are no complete one.
    public init?(_ bytes: [UInt8], isHead: Bool = false) {
        guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
        let lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).split(separator: "\r\n")
        let words = lines[0].split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
        guard words.count >= 2, let status = Int(words[1]) else { return nil }
        self.status = status
        reason = words.count > 2 ? String(words[2]) : ""
        headers = lines.dropFirst().map { line in
            let colon = line.firstIndex(of: ":") ?? line.endIndex
            let value = line[colon...].dropFirst().drop { $0 == " " }
            return (String(line[..<colon]), String(value))
        }
        let rest = Array(bytes[end.upperBound...])
        let isChunked = headers.contains { $0.name.lowercased() == "transfer-encoding" }
        guard isChunked, !isHead else {
            body = rest
            return
        }
        guard let decoded = Self.dechunked(rest) else { return nil }
        body = decoded
    }

    public var text: String { String(decoding: body, as: UTF8.self) }
    public var json: JSONValue? { try? JSONValue(parsing: body) }

    /// The first value of a header, whose name matches in any case.
    public subscript(name: String) -> String? {
        headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }

    private static func dechunked(_ bytes: [UInt8]) -> [UInt8]? {
        var body: [UInt8] = []
        var rest = bytes[...]
        while let lineEnd = rest.firstRange(of: [0x0d, 0x0a]) {
            guard let size = Int(String(decoding: rest[..<lineEnd.lowerBound], as: UTF8.self), radix: 16) else {
                return nil
            }
            rest = rest[lineEnd.upperBound...]
            if size == 0 { return body }
            guard rest.count >= size + 2 else { return nil }
            body += rest.prefix(size)
            rest = rest.dropFirst(size + 2)
        }
        return nil
    }
}
