import SDHTTPTransport
import SDPlatform

/// Reads heads and trailers as libcurl hands them over: lines with their ends, as they came.
enum HeadParser {
    /// - Parameter lines: the status line and the fields.
    static func head(_ lines: UnsafeBufferPointer<UInt8>, status: Int) -> UpstreamHead {
        let end = lines.firstIndex(of: 0x0A).map { $0 + 1 } ?? lines.count
        let first = trimmed(lines[..<end])
        // `HTTP/1.1 200 OK`: the reason is what stands behind the second space.
        let version = first.firstIndex(of: 0x20) ?? first.endIndex
        let code = first[version...].dropFirst().firstIndex(of: 0x20) ?? first.endIndex
        return UpstreamHead(
            status: status, reason: text(first[code...].dropFirst()), headers: fields(lines[end...]),
            version: self.version(first[..<version]))
    }

    private static func version(_ name: Slice<UnsafeBufferPointer<UInt8>>) -> HTTPVersion {
        // `HTTP/2`, `HTTP/1.0`
        guard name.count > 5 else { return .http11 }
        return name[name.startIndex + 5] == 0x32 ? .http2 : name.last == 0x30 ? .http10 : .http11
    }

    /// The fields of lines; a line that begins with a blank belongs to the one before it.
    static func fields(_ lines: Slice<UnsafeBufferPointer<UInt8>>) -> [(name: String, value: String)] {
        var fields: [(name: String, value: String)] = []
        var rest = lines
        while !rest.isEmpty {
            let end = rest.firstIndex(of: 0x0A).map { $0 + 1 } ?? rest.endIndex
            let line = rest[..<end]
            rest = rest[end...]
            if let first = line.first, first == 0x20 || first == 0x09, !fields.isEmpty {
                let more = text(trimmed(line))
                let last = fields.count - 1
                if !more.isEmpty { fields[last].value += fields[last].value.isEmpty ? more : " " + more }
            } else if let colon = line.firstIndex(of: 0x3A) {
                fields.append((text(trimmed(line[..<colon])), text(trimmed(line[(colon + 1)...]))))
            }
        }
        return fields
    }

    /// Why it cannot be known where the body of an answer ends, in the words of the other client; nil if it can.
    static func contradiction(in head: UpstreamHead) -> String? {
        var lengths: [String] = []
        var hasCoding = false
        for (name, value) in head.headers {
            if FieldName.is(name, "transfer-encoding") { hasCoding = true }
            if FieldName.is(name, "content-length") { lengths.append(value) }
        }
        guard lengths.allSatisfy({ Int($0) != nil && $0.utf8.allSatisfy { $0 &- 0x30 < 10 } }) else {
            return "Content-Length is not a number"
        }
        if Set(lengths).count > 1 { return "several Content-Length headers differ" }
        if lengths.count > 1 { return "several Content-Length headers are given" }
        return hasCoding && !lengths.isEmpty ? "both Content-Length and Transfer-Encoding are given" : nil
    }

    /// Without the blanks and line ends around it.
    private static func trimmed(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Slice<UnsafeBufferPointer<UInt8>> {
        var bytes = bytes.drop { $0 == 0x20 || $0 == 0x09 }
        while let last = bytes.last, last == 0x20 || last == 0x09 || last == 0x0D || last == 0x0A {
            bytes = bytes.dropLast()
        }
        return bytes
    }

    /// Each byte as one character, so that the text is written as the same bytes again.
    private static func text(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> String {
        var seen: UInt8 = 0
        for byte in bytes { seen |= byte }
        return seen < 0x80 ? String(decoding: bytes, as: UTF8.self) : HeaderText.verbatim(bytes)
    }
}
