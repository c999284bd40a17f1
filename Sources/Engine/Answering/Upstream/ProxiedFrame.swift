import SDHTTPMessages
import SDHTTPTransport
import SDStubModel
import SDUpstream

/// The fields of another server's answer as they are sent on: its own in their order, and then those of the stub.
struct AnsweredFields {
    let all: [(name: String, value: String)]

    /// - Parameters:
    ///   - dropsCORS: whether those for pages of other origins are left out.
    ///   - own: the stub's.
    ///   - rewrite: what is changed in values; nil for nothing.
    init(_ head: UpstreamHead, dropsCORS: Bool, own: [ResponseHeader], _ rewrite: HostRewrite?) {
        let replaced = Set(own.map { $0.name.lowercased() }).intersection(["content-type", "content-length"])
        let ofConnection = ConnectionFields(of: head.headers)
        let passed = head.headers.filter { field in
            let name = field.name.lowercased()
            // Whether trailers follow is decided with the framing.
            return !(ofConnection.contains(name) && name != "trailer") && !replaced.contains(name)
                && !(dropsCORS && name.hasPrefix("access-control"))
        }.map { field in rewrite.map { (name: field.name, value: $0.text(field.value)) } ?? field }
        all =
            passed
            + own.flatMap { header in
                header.values.map { (name: header.name, value: $0) }
            }
    }

    /// The fields without the length of a body whose length changes.
    var withoutLength: AnsweredFields { AnsweredFields(all: all.filter { $0.name.lowercased() != "content-length" }) }

    private init(all: [(name: String, value: String)]) {
        self.all = all
    }

    func value(_ name: String) -> String? { all.first { $0.name.lowercased() == name }?.value }
}

extension ResponseHead {
    /// An informational answer of another server, as it is sent on.
    init(informing answer: UpstreamHead, _ rewrite: HostRewrite?) {
        self.init(status: answer.status, message: answer.version == .http2 ? nil : answer.reason)
        let fields = AnsweredFields(answer, dropsCORS: false, own: [], rewrite).all
        for (name, value) in fields where !["content-length", "trailer"].contains(name.lowercased()) {
            add(name, value)
        }
    }
}

/// What stands around the pieces of another server's answer.
struct ProxiedFrame: Sendable {
    let head: ResponseHead
    let hasBody: Bool
    private let isChunked: Bool
    private let isClosing: Bool

    /// - Parameter extra: fields of the daemon's own, for pages of other origins.
    init(_ answer: UpstreamHead, _ fields: AnsweredFields, _ form: ResponseForm, extra: [(String, String)]) {
        let hasNoBody = answer.status < 200 || answer.status == 204 || answer.status == 304
        hasBody = !hasNoBody && !form.contains(.headOnly)
        let length = fields.value("content-length")
        let isFramed = length != nil || hasNoBody
        isChunked = !isFramed && !form.contains(.http10)
        let isOverstated = fields.all.contains { $0.name.lowercased() == "content-length" && $0.value != length }
        let asksToClose = fields.value("connection")?.lowercased() == "close"
        isClosing = form.contains(.closing) || asksToClose || isOverstated || !isFramed && form.contains(.http10)
        var head = ResponseHead(
            status: answer.status, message: answer.version == .http2 ? nil : answer.reason)
        if isClosing {
            head.add("Connection", "close")
        } else if form.contains(.http10) {
            head.add("Connection", "keep-alive")
        }
        for (name, value) in fields.all + extra.map({ (name: $0.0, value: $0.1) }) {
            let key = name.lowercased()
            if key == "connection" || key == "transfer-encoding" { continue }
            if key == "trailer", !(isChunked && hasBody) { continue }
            if key == "content-length", answer.status < 200 || answer.status == 204 { continue }
            head.add(name, value)
        }
        if isChunked { head.addChunks(hasBody: hasBody) }
        self.head = head
    }

    /// The end of the whole answer.
    func end(trailers: [(name: String, value: String)]) -> WireStep {
        .end(isClosing ? .close : .keepAlive, trailers: isChunked && hasBody ? ConnectionFields.trailers(trailers) : [])
    }
}
