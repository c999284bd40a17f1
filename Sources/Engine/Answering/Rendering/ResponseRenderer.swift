import SDHTTPMessages
import SDHTTPTransport
import SDStubModel

/// Turns a response definition and a body into a wire script.
struct ResponseRenderer {
    package let definition: ResponseDefinition
    package let fields: [(String, String)]
    package let options: ResponseOptions
    package let isFile: Bool

    private typealias Framing = BodyFrame.Framing

    /// - Parameter parts: the body, in consecutive parts.
    func render(_ form: ResponseVariant, _ parts: [BodyContent]) -> WireScript { frame(form).script(parts) }

    /// Renders the response within a loop's time; nil if that does not suffice.
    func renderOnLoop(_ form: ResponseVariant, _ parts: [BodyContent]) -> WireScript? {
        let frame = frame(form)
        return frame.isLong(parts) ? nil : frame.script(parts)
    }

    /// Everything in the response that does not depend on its body.
    func frame(_ form: ResponseVariant) -> BodyFrame {
        let framing = framing(form)
        let isClosing = form.contains(.closing) || asksToClose
        let hasBody = !form.contains(.headOnly) && !hasNoBody
        return BodyFrame(
            early: early(form), head: head(form, framing, isClosing: isClosing), framing: framing, hasBody: hasBody,
            isHeadOnly: form.contains(.headOnly), isCompressed: form.contains(.gzip) && isCompressible,
            dribble: dribble, isClosing: isClosing, trailers: hasBody ? trailers(framing) : [])
    }

    /// The frame around the chunks of a body of unknown length.
    func streamFrame(_ form: ResponseVariant) -> StreamFrame {
        var framing = framing(form)
        // Without chunked coding, the end of the connection ends the body.
        var endsWithConnection = false
        switch framing {
        case .length where form.contains(.http10): endsWithConnection = true
        case .length: framing = .chunked("chunked")
        case .stated: endsWithConnection = true
        case .none, .chunked: break
        }
        let isClosing = form.contains(.closing) || asksToClose || (endsWithConnection && form.contains(.http10))
        var head = head(form, framing, isClosing: isClosing)
        let hasBody = !form.contains(.headOnly) && !hasNoBody
        if case .chunked(let coding) = framing { head.addChunks(coding, hasBody: hasBody) }
        let end: WireStep.End = isClosing || endsWithConnection && hasBody ? .close : .keepAlive
        return StreamFrame(
            opening: early(form) + [.head(head)], end: .end(end, trailers: hasBody ? trailers(framing) : []),
            hasBody: hasBody)
    }

    // MARK: Before and after

    /// The informational responses; none in HTTP/1.0.
    private func early(_ form: ResponseVariant) -> [WireStep] {
        guard !form.contains(.http10) else { return [] }
        return definition.early.map { early in
            var head = ResponseHead(status: early.status, message: nil)
            for header in early.headers {
                for value in header.values { head.add(header.name, value) }
            }
            return .head(head)
        }
    }

    /// The trailers; only chunked bodies can have them.
    private func trailers(_ framing: Framing) -> [(name: String, value: String)] {
        guard case .chunked = framing else { return [] }
        return definition.trailers.flatMap { trailer in trailer.values.map { (trailer.name, $0) } }
    }

    // MARK: Head

    /// The head without the fields that depend on the body.
    private func head(_ form: ResponseVariant, _ framing: Framing, isClosing: Bool) -> ResponseHead {
        var head = ResponseHead(status: definition.status, message: definition.statusMessage)
        addConnection(to: &head, form, isClosing: isClosing)
        for (name, value) in fields where !isReplaced(name, framing, isClosing: isClosing) { head.add(name, value) }
        if definition.ranges == true, !has("accept-ranges") { head.add("Accept-Ranges", "bytes") }
        if case .chunked = framing, !definition.trailers.isEmpty, !has("trailer") {
            head.add("Trailer", definition.trailers.map(\.name).joined(separator: ", "))
        }
        return head
    }

    private func addConnection(to head: inout ResponseHead, _ form: ResponseVariant, isClosing: Bool) {
        if isClosing {
            if !asksToClose { head.add("Connection", "close") }
        } else if form.contains(.http10), !has("connection") {
            head.add("Connection", "keep-alive")
        }
    }

    /// Whether a header of the stub is replaced by the framing's own.
    private func isReplaced(_ name: String, _ framing: Framing, isClosing: Bool) -> Bool {
        switch name.lowercased() {
        case "transfer-encoding": true
        case "content-length":
            switch framing {
            case .chunked: true
            // RFC 9110 section 8.6: a 304 may state the length of the content that it leaves out, a 204 may not.
            case .none: definition.status != 304
            case .length, .stated: false
            }
        case "connection": isClosing && !asksToClose
        default: false
        }
    }

    private func has(_ name: String) -> Bool {
        value(name) != nil
    }

    private func value(_ name: String) -> String? {
        fields.first { $0.0.lowercased() == name }?.1
    }

    private var asksToClose: Bool {
        value("connection").map { $0.lowercased() == "close" } ?? false
    }

    private var hasNoBody: Bool {
        definition.status < 200 && definition.status >= 100 || definition.status == 204 || definition.status == 304
    }

    /// Whether gzip applies. As in WireMock, it applies to successful responses of types that are not compressed
    /// already. A body with a stated coding or length is sent unchanged, and a dribbled one keeps its chunks.
    private var isCompressible: Bool {
        (200..<300).contains(definition.status) && definition.status != 204 && !has("content-encoding")
            && !has("content-length") && dribble == nil && definition.ranges != true
            && !isCompressed(value("content-type") ?? "")
    }

    /// The dribble delay; as in WireMock, a body with zero chunks is sent at once.
    private var dribble: DribbleDelay? {
        definition.chunkedDribbleDelay.flatMap { $0.numberOfChunks > 0 ? $0 : nil }
    }

    private func framing(_ form: ResponseVariant) -> Framing {
        if hasNoBody { return .none }
        if let coding = value("transfer-encoding"), !form.contains(.http10) {
            return .chunked(coding.lowercased().hasSuffix("chunked") ? coding : coding + ",chunked")
        }
        if let stated = value("content-length") { return .stated(Int(stated)) }
        if form.contains(.http10) { return .length }
        if !definition.trailers.isEmpty { return .chunked("chunked") }
        switch options.chunkedEncoding {
        case .always: return .chunked("chunked")
        case .never: return .length
        case .bodyFile: return isFile ? .chunked("chunked") : .length
        }
    }
}

/// Whether content of a type is compressed already, or must arrive without delay.
private func isCompressed(_ contentType: String) -> Bool {
    let type = contentType.lowercased().prefix { $0 != ";" && $0 != " " }
    switch type {
    case "image/svg+xml": return false
    case "application/compress", "application/zip", "application/bzip2", "application/brotli", "application/x-xz",
        "application/x-rar-compressed", "text/event-stream":
        return true
    default: return type.hasPrefix("image/") || type.hasPrefix("audio/") || type.hasPrefix("video/")
    }
}
