/// The fields of a call in libcurl's syntax: lines, each ended by NUL.
///
/// libcurl sends its own fields first. A field of the list takes the place of one of libcurl's, `Name:` sends none, and
/// `Name;` one that is empty. `Host:` in front of everything has libcurl make none, so that one that follows stands at its
/// place, as it is spelt.
struct RequestLines {
    private(set) var bytes: [UInt8] = []

    /// - Parameters:
    ///   - length: the length of the body; nil for none.
    ///   - hop: the field that marks the calls of this process; nil for none.
    init(_ request: UpstreamRequest, _ target: UpstreamTarget, framing: Framing, hop: (name: String, value: String)?) {
        bytes.reserveCapacity(1024)
        suppress("Host")
        var given = Given()
        var length = framing.length
        var coding = framing.isChunked ? "chunked" : nil
        if !request.headers.contains(where: { Self.isNamed($0.name, "host") }) { add("Host", target.authority) }
        for (name, value) in request.headers {
            switch name.utf8.count {
            case 6 where Self.isNamed(name, "expect"): continue
            case 14 where Self.isNamed(name, "content-length"):
                if let count = length.take() { add(name, String(count)) }
            case 17 where Self.isNamed(name, "transfer-encoding"):
                if let coding = coding.take() { add(name, coding) }
            default:
                given.note(name)
                add(name, value)
            }
        }
        if let length { add("Content-Length", String(length)) }
        if let coding { add("Transfer-Encoding", coding) }
        if let hop { add(hop.name, hop.value) }
        if !given.accept { suppress("Accept") }
        if !given.contentType { suppress("Content-Type") }
        if framing != .none { suppress("Expect") }
        if !given.proxyConnection { suppress("Proxy-Connection") }
    }

    /// The fields behind a body.
    init(trailers: [(name: String, value: String)]) {
        for (name, value) in ConnectionFields.trailers(trailers) { add(name, value) }
    }

    /// How the end of the body is found.
    enum Framing: Equatable {
        case none
        case length(Int)
        case chunks

        var length: Int? { if case .length(let length) = self { length } else { nil } }
        var isChunked: Bool { self == .chunks }
    }

    /// The fields in place of libcurl's own.
    private struct Given {
        var accept = false
        var contentType = false
        var proxyConnection = false

        mutating func note(_ name: String) {
            switch name.utf8.count {
            case 6: accept = accept || isNamed(name, "accept")
            case 12: contentType = contentType || isNamed(name, "content-type")
            case 16: proxyConnection = proxyConnection || isNamed(name, "proxy-connection")
            default: break
            }
        }
    }

    /// - Parameter other: in lower case.
    static func isNamed(_ name: String, _ other: StaticString) -> Bool {
        guard name.utf8.count == other.utf8CodeUnitCount else { return false }
        var place = other.utf8Start
        for byte in name.utf8 {
            let isCapital = byte &- 0x41 < 26
            if (isCapital ? byte | 0x20 : byte) != place.pointee { return false }
            place += 1
        }
        return true
    }

    private mutating func suppress(_ name: String) {
        bytes += name.utf8
        bytes.append(0x3A)
        bytes.append(0)
    }

    private mutating func add(_ name: String, _ value: String) {
        guard !name.isEmpty else { return }
        let start = bytes.count
        append(name)
        // A name that is none would begin another field, or be taken for libcurl's syntax.
        for index in start..<bytes.count {
            let byte = bytes[index]
            if byte == 0x3A || byte == 0x3B || byte == 0x20 { bytes[index] = 0x3F }
        }
        let isEmpty = value.utf8.allSatisfy { $0 == 0x20 || $0 == 0x09 }
        bytes.append(isEmpty ? 0x3B : 0x3A)
        if !isEmpty {
            bytes.append(0x20)
            append(value)
        }
        bytes.append(0)
    }

    /// Writes text as ISO-8859-1, or with other characters as UTF-8. What would end the line becomes a blank.
    private mutating func append(_ text: String) {
        let start = bytes.count
        if text.utf8.allSatisfy({ $0 < 0x80 }) || text.unicodeScalars.contains(where: { $0.value > 0xFF }) {
            bytes += text.utf8
        } else {
            bytes += text.unicodeScalars.lazy.map { UInt8(truncatingIfNeeded: $0.value) }
        }
        for index in start..<bytes.count {
            let byte = bytes[index]
            if byte == 0 || byte == 0x0D || byte == 0x0A { bytes[index] = 0x20 }
        }
    }
}
