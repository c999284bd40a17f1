import SDHTTPTransport

/// The head of a call as it is sent, or the lines of its trailers: each with its line end.
struct RequestHead {
    private(set) var bytes: [UInt8] = []

    /// The request line and the fields of a call, with the empty line.
    /// - Parameter hop: the value of the field that marks the calls of this process; empty for none.
    init(_ request: UpstreamRequest, _ target: UpstreamTarget, hop: String) {
        bytes.reserveCapacity(1024)
        bytes += Self.token(request.method).utf8
        bytes.append(0x20)
        bytes += target.path.utf8
        bytes += " HTTP/1.1\r\n".utf8
        addFields(request, target, hop: hop)
        endLine()
    }

    /// The fields alone.
    init(fieldsOf request: UpstreamRequest, _ target: UpstreamTarget, hop: String) {
        addFields(request, target, hop: hop)
    }

    /// The fields behind a body.
    init(trailers: [(name: String, value: String)]) {
        for (name, value) in ConnectionFields.trailers(trailers) { add(name, value) }
    }

    private mutating func addFields(_ request: UpstreamRequest, _ target: UpstreamTarget, hop: String) {
        let framing = Framing(request)
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
            default: add(name, value)
            }
        }
        if let length { add("Content-Length", String(length)) }
        if let coding { add("Transfer-Encoding", coding) }
        if !hop.isEmpty { add(Upstream.hopHeader, hop) }
    }

    /// A method that cannot end the request line.
    static func token(_ method: String) -> String {
        if method.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }), !method.isEmpty { return method }
        let bytes = method.utf8.filter { $0 > 0x20 && $0 != 0x7F }
        return bytes.isEmpty ? "GET" : String(decoding: bytes, as: UTF8.self)
    }

    /// How the end of the body is found.
    enum Framing: Equatable {
        case none
        case length(Int)
        case chunks

        init(_ request: UpstreamRequest) {
            switch request.body {
            case .none: self = .none
            case .bytes(let bytes): self = request.isChunked ? .chunks : .length(bytes.count)
            case .stream(let stream): self = stream.count.map { .length($0) } ?? .chunks
            }
        }

        var length: Int? { if case .length(let length) = self { length } else { nil } }
        var isChunked: Bool { self == .chunks }
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

    private mutating func add(_ name: String, _ value: String) {
        guard !name.isEmpty else { return }
        let start = bytes.count
        append(name)
        // A name that is none would begin another field.
        for index in start..<bytes.count {
            let byte = bytes[index]
            if byte == 0x3A || byte == 0x3B || byte == 0x20 { bytes[index] = 0x3F }
        }
        bytes.append(0x3A)
        if !value.utf8.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) {
            bytes.append(0x20)
            append(value)
        }
        endLine()
    }

    private mutating func endLine() {
        bytes.append(0x0D)
        bytes.append(0x0A)
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
