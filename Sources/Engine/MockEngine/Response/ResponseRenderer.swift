import HTTPMessages
import HTTPTransport
import StubModel

/// Turns a response definition and a body into a wire script.
struct ResponseRenderer {
    let definition: ResponseDefinition
    let fields: [(String, String)]
    let options: ResponseOptions
    let isFile: Bool

    private enum Framing {
        /// No body at all: 1xx, 204, 304.
        case none
        /// Chunks, with this value of Transfer-Encoding.
        case chunked(String)
        case length
        /// The length that the stub states itself, right or wrong; nil if it is not a number.
        case stated(Int?)
    }

    func render(_ form: ResponseForm, _ original: BodyContent) -> WireScript {
        let framing = framing(form)
        let isClosing = form.contains(.closing) || asksToClose
        var body = original
        var head = ResponseHead(status: definition.status, message: definition.statusMessage)
        addConnection(to: &head, form, isClosing: isClosing)
        for (name, value) in fields where !isReplaced(name, framing, isClosing: isClosing) { head.add(name, value) }
        // A file that is too large for memory is sent as it is: compressing it would make all other clients wait.
        if form.contains(.gzip), isCompressible, let compressed = body.wholeBytes?.compressed {
            body = .bytes(compressed)
            head.add("Content-Encoding", "gzip")
        }
        switch framing {
        case .chunked(let coding): head.add("Transfer-Encoding", coding)
        case .length: head.add("Content-Length", String(body.count))
        case .none, .stated: break
        }
        let hasBody = !form.contains(.headOnly) && !hasNoBody
        if case .chunked = framing { head.isChunked = hasBody }

        var steps: [WireStep] = [.head(head)]
        if hasBody, body.count > 0 { steps += dribble.map { dribbled(body, $0) } ?? [body.step] }
        let endsShort = promisesMore(framing, than: body.count) && !form.contains(.headOnly)
        steps.append(.end(isClosing || endsShort ? .close : .keepAlive))
        return WireScript(steps)
    }

    // MARK: Head

    private func addConnection(to head: inout ResponseHead, _ form: ResponseForm, isClosing: Bool) {
        if isClosing {
            if !asksToClose { head.add("Connection", "close") }
        } else if form.contains(.http10), !has("connection") {
            head.add("Connection", "keep-alive")
        }
    }

    /// Whether a header of the stub is left out in favor of the framing's own.
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

    /// Whether gzip applies. Like WireMock, it applies to successful responses of types that are not compressed
    /// already. A body with a stated coding or length is sent unchanged, and a dribbled one keeps its chunks.
    private var isCompressible: Bool {
        (200..<300).contains(definition.status) && definition.status != 204 && !has("content-encoding")
            && !has("content-length") && dribble == nil
            && !isCompressed(value("content-type") ?? "")
    }

    /// The dribble delay; as in WireMock, a body in no chunks is sent at once.
    private var dribble: DribbleDelay? {
        definition.chunkedDribbleDelay.flatMap { $0.numberOfChunks > 0 ? $0 : nil }
    }

    private func framing(_ form: ResponseForm) -> Framing {
        if hasNoBody { return .none }
        if let coding = value("transfer-encoding"), !form.contains(.http10) {
            return .chunked(coding.lowercased().hasSuffix("chunked") ? coding : coding + ",chunked")
        }
        if let stated = value("content-length") { return .stated(Int(stated)) }
        if form.contains(.http10) { return .length }
        switch options.chunkedEncoding {
        case .always: return .chunked("chunked")
        case .never: return .length
        case .bodyFile: return isFile ? .chunked("chunked") : .length
        }
    }

    /// Whether the stub states more bytes than there are, or no valid number. Only the end of the connection can then
    /// tell the client that the body has ended.
    private func promisesMore(_ framing: Framing, than count: Int) -> Bool {
        guard case .stated(let length) = framing else { return false }
        guard let length, length >= 0 else { return true }
        return length > count
    }

    // MARK: Body

    /// The largest number of pieces of one body: each takes about fifty bytes of memory, and no client could tell more
    /// pieces apart.
    private static let mostPieces = 65_536

    /// The body in equal pieces, with the remainder in the last one and a pause before each.
    private func dribbled(_ body: BodyContent, _ dribble: DribbleDelay) -> [WireStep] {
        let count = min(dribble.numberOfChunks, body.count, Self.mostPieces)
        let pause = UInt64(max(dribble.totalDuration, 0) / count) * 1_000_000
        let size = body.count / count
        let pieces = (0..<count).map { $0 * size..<($0 == count - 1 ? body.count : ($0 + 1) * size) }
        return body.steps(pieces).flatMap { [.wait(nanoseconds: pause), $0] }
    }
}

/// Whether content of a type gains nothing from gzip or must arrive without delay.
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
