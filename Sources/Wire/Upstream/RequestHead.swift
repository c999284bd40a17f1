import SDHTTPTransport

/// The head of a call, or the lines of its trailers, each with its line end.
struct RequestHead {
    private var lines = FieldLines()
    var bytes: [UInt8] { lines.bytes }

    /// The request line and the fields of a call, with the empty line.
    /// - Parameters:
    ///   - hop: the value of the field that marks this process's calls; empty for none.
    ///   - proxy: the proxy, which gets the absolute URL; nil for the server itself.
    init(_ request: UpstreamRequest, _ target: UpstreamTarget, hop: String, to proxy: ForwardingProxy? = nil) {
        lines.append(line: Self.token(request.method))
        lines.append(line: " ")
        if proxy != nil { lines.append(line: "http://\(target.authority)") }
        lines.append(line: target.path)
        lines.append(line: " HTTP/1.1\r\n")
        if let credentials = proxy?.credentials { add(credentials.name, credentials.value) }
        addFields(request, target, hop: hop)
        lines.endLine()
    }

    /// The fields after a body.
    init(trailers: [(name: String, value: String)]) {
        for (name, value) in ConnectionFields.trailers(trailers) { add(name, value) }
    }

    private mutating func addFields(
        _ request: UpstreamRequest, _ target: UpstreamTarget, hop: String
    ) {
        let framing = Framing(request)
        var length = framing.length
        var coding = framing.isChunked ? "chunked" : nil
        if let own = request.lines {
            lines.append(own)
        } else if !request.headers.contains(where: { FieldName.is($0.name, "host") }) {
            add("Host", target.authority)
        }
        for (name, value) in request.headers {
            switch name.utf8.count {
            case 6 where FieldName.is(name, "expect"): continue
            case 14 where FieldName.is(name, "content-length"):
                if let count = length.take() { add(name, String(count)) }
            case 17 where FieldName.is(name, "transfer-encoding"):
                if let coding = coding.take() { add(name, coding) }
            default: add(name, value)
            }
        }
        if let length { add("Content-Length", String(length)) }
        if let coding { add("Transfer-Encoding", coding) }
        if let upgrade = request.upgrade {
            add("Connection", "Upgrade")
            add("Upgrade", upgrade)
        }
        if !hop.isEmpty { add(Upstream.hopHeader, hop) }
    }

    /// The method, sanitised so that it cannot end the request line.
    static func token(_ method: String) -> String {
        if method.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }), !method.isEmpty { return method }
        let bytes = method.utf8.filter { $0 > 0x20 && $0 != 0x7F }
        return bytes.isEmpty ? "GET" : String(decoding: bytes, as: UTF8.self)
    }

    /// How the end of the body is determined.
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

    private mutating func add(_ name: String, _ value: String) {
        lines.add(name, value)
    }
}
