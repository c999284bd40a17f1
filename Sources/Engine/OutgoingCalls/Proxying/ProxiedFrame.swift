package import SDHTTPMessages
package import SDHTTPTransport
package import SDStubModel
package import SDUpstream

/// The fields of another server's answer for the client: its own in order, followed by those of the stub.
package struct AnsweredFields {
    package let all: [(name: String, value: String)]

    /// - Parameters:
    ///   - dropsCORS: whether to remove its CORS headers.
    ///   - own: the stub's fields.
    ///   - rewrite: the rewriting of values; nil for none.
    package init(_ head: UpstreamHead, dropsCORS: Bool, own: [ResponseHeader], _ rewrite: HostRewrite?) {
        let ofConnection = ConnectionFields(of: head.headers)
        var all: [(name: String, value: String)] = []
        all.reserveCapacity(head.headers.count + own.count)
        for (name, value) in head.headers {
            // The framing decides whether trailers follow.
            let isKept = FieldName.is(name, "trailer") || head.status == 101 && FieldName.is(name, "upgrade")
            if ofConnection.contains(name), !isKept { continue }
            if !own.isEmpty, Self.isReplaced(name, by: own) { continue }
            if dropsCORS, name.lowercased().hasPrefix("access-control") { continue }
            all.append((name, rewrite?.text(value) ?? value))
        }
        for header in own { all += header.values.map { (name: header.name, value: $0) } }
        self.all = all
    }

    /// Whether a field of the stub replaces one of that name.
    private static func isReplaced(_ name: String, by own: [ResponseHeader]) -> Bool {
        func isAmong(_ one: StaticString) -> Bool {
            FieldName.is(name, one) && own.contains { FieldName.is($0.name, one) }
        }
        return isAmong("content-type") || isAmong("content-length")
    }

    /// The fields without `Content-Length`, for a body whose length changes.
    package var withoutLength: AnsweredFields {
        AnsweredFields(all: all.filter { !FieldName.is($0.name, "content-length") })
    }

    private init(all: [(name: String, value: String)]) {
        self.all = all
    }

    /// The first value of a field.
    /// - Parameter name: in lower case.
    package func value(_ name: StaticString) -> String? { all.first { FieldName.is($0.name, name) }?.value }
}

extension ResponseHead {
    /// An informational answer of another server, for the client.
    package init(informing answer: UpstreamHead, _ rewrite: HostRewrite?) {
        self.init(status: answer.status, message: answer.version == .http2 ? nil : answer.reason)
        let fields = AnsweredFields(answer, dropsCORS: false, own: [], rewrite).all
        for (name, value) in fields where !FieldName.is(name, "content-length") && !FieldName.is(name, "trailer") {
            add(name, value)
        }
    }
}

/// The frame around the body of another server's answer.
package struct ProxiedFrame: Sendable {
    package let head: ResponseHead
    package let hasBody: Bool
    private let isChunked: Bool
    private let isClosing: Bool
    /// The stated length of the body; nil for none, and for a body that is not sent.
    private let statedLength: Int?

    /// - Parameter extra: the daemon's own CORS headers.
    package init(_ answer: UpstreamHead, _ fields: AnsweredFields, _ form: ResponseVariant, extra: [(String, String)]) {
        let hasNoBody = answer.status < 200 || answer.status == 204 || answer.status == 304
        hasBody = !hasNoBody && !form.contains(.headOnly)
        let length = fields.value("content-length")
        let isFramed = length != nil || hasNoBody
        statedLength = hasBody ? length.flatMap { Int($0) } : nil
        isChunked = !isFramed && !form.contains(.http10)
        let isOverstated = fields.all.contains { $0.value != length && FieldName.is($0.name, "content-length") }
        let asksToClose = fields.value("connection")?.lowercased() == "close"
        let isSwitch = answer.status == 101
        isClosing =
            !isSwitch
            && (form.contains(.closing) || asksToClose || isOverstated || !isFramed && form.contains(.http10))
        var head = ResponseHead(
            status: answer.status, message: answer.version == .http2 ? nil : answer.reason)
        if isSwitch {
            head.add("Connection", "Upgrade")
        } else if isClosing {
            head.add("Connection", "close")
        } else if form.contains(.http10) {
            head.add("Connection", "keep-alive")
        }
        let hasNoLength = answer.status < 200 || answer.status == 204
        for (name, value) in fields.all {
            if FieldName.is(name, "connection") || FieldName.is(name, "transfer-encoding") { continue }
            if !(isChunked && hasBody), FieldName.is(name, "trailer") { continue }
            if hasNoLength, FieldName.is(name, "content-length") { continue }
            head.add(name, value)
        }
        for (name, value) in extra { head.add(name, value) }
        if isChunked { head.addChunks(hasBody: hasBody) }
        self.head = head
    }

    /// The end of the answer. If the body is not as long as the stub states, the connection ends: the client would wait
    /// for more, or take the rest for another answer.
    /// - Parameter count: the number of bytes of the body.
    package func end(trailers: [(name: String, value: String)], of count: Int) -> WireStep {
        let closes = isClosing || statedLength.map { $0 != count } ?? false
        return .end(
            closes ? .close : .keepAlive, trailers: isChunked && hasBody ? ConnectionFields.trailers(trailers) : [])
    }
}
