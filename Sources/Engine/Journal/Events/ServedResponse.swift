package import SDHTTPMessages
import SDMatching
public import SDStubModel

/// The response to a request, before compression and framing. It belongs to the serve event, and does not change with
/// the stub or its body file.
///
/// Events with the same response share one object: that of a body file is made once for each version of the file.
public final class ServedResponse: Sendable {
    public let status: Int
    /// The reason phrase; nil for the registered one.
    public let reason: String?
    public let fields: [(name: String, value: String)]
    private let ownBody: [UInt8]
    private let ownWholeBody: Int?
    private let ownFault: Fault?
    /// The body of a stream, which grows until its end; nil for any other response.
    private let streamed: StreamedBody?
    /// The reason why the stub could not be served, as a message; nil if it was served. The text that the client got is
    /// not kept.
    public let failure: String?
    /// What is wrong with the response although it was sent, as a sentence without a full stop; nil for nothing.
    public let remark: String?

    /// Makes a response whose body is in memory.
    /// - Parameter bodyLimit: the number of bytes of the body that are kept. A shorter body is shared, not copied.
    package convenience init(
        status: Int, reason: String? = nil, fields: [(name: String, value: String)] = [], body: [UInt8] = [],
        bodyLimit: Int = .max, fault: Fault? = nil
    ) {
        let kept = body.count > bodyLimit ? Array(body.prefix(bodyLimit)) : body
        self.init(status, reason, fields, kept: kept, of: body.count, fault: fault)
    }

    /// Makes a response whose body is sent piece by piece.
    package convenience init(
        status: Int, reason: String?, fields: [(name: String, value: String)], streamed: StreamedBody
    ) {
        self.init(status, reason, fields, of: 0, streamed: streamed)
    }

    /// The body, truncated if it is long. With a fault it is the stub's body, though it was not sent; that of a stream
    /// is what was given to the connection so far.
    public var body: [UInt8] { streamed?.kept ?? ownBody }

    /// Whether its body was sent piece by piece.
    package var isStreamed: Bool { streamed != nil }

    /// The size in bytes of a body that is kept truncated; nil if it is whole.
    public var wholeBody: Int? {
        guard let streamed else { return ownWholeBody }
        let count = streamed.count
        return count > streamed.kept.count ? count : nil
    }

    /// The fault that was sent instead, or that ended a stream; nil for none.
    public var fault: Fault? { streamed?.fault ?? ownFault }

    /// The largest number of bytes kept of a body that is not in memory, whatever the limit is.
    private static let maxOfFile = 64 << 10

    /// Makes a response whose body may be in a file.
    package convenience init(
        status: Int, reason: String? = nil, fields: [(name: String, value: String)], content: [BodyContent],
        bodyLimit: Int
    ) {
        if content.count == 1, let bytes = content[0].wholeBytes {
            self.init(status: status, reason: reason, fields: fields, body: bytes.bytes, bodyLimit: bodyLimit)
            return
        }
        var kept: [UInt8] = []
        for part in content { kept += part.prefix(min(bodyLimit, Self.maxOfFile) - kept.count) }
        self.init(status, reason, fields, kept: kept, of: content.reduce(0) { $0 + $1.count })
    }

    /// The 500 for a request whose stub could not be served.
    package convenience init(failure: String) {
        self.init(500, nil, [], failure: failure)
    }

    /// Makes the answer to a request that could not be served, with what the client got.
    package convenience init(
        status: Int, fields: [(name: String, value: String)], body: [UInt8], failure: String
    ) {
        self.init(status, nil, fields, kept: body, of: body.count, failure: failure)
    }

    /// Makes the response of another replica.
    /// - Parameter isStreamed: whether its body was sent piece by piece.
    convenience init(
        packed status: Int, _ reason: String?, _ fields: [(name: String, value: String)], kept: [UInt8], of count: Int,
        fault: Fault?, failure: String?, remark: String?, isStreamed: Bool
    ) {
        guard isStreamed else {
            self.init(
                status, reason, fields, kept: kept, of: count, fault: fault, failure: failure, remark: remark)
            return
        }
        let streamed = StreamedBody(limit: kept.count, most: kept.count)
        streamed.add(count) { _ in kept }
        if let fault { streamed.end(with: fault) }
        self.init(status, reason, fields, streamed: streamed, failure: failure, remark: remark)
    }

    /// - Parameters:
    ///   - kept: the beginning of the body, or all of it.
    ///   - count: the size of the whole body.
    private init(
        _ status: Int, _ reason: String?, _ fields: [(name: String, value: String)], kept: [UInt8] = [],
        of count: Int = 0, fault: Fault? = nil, streamed: StreamedBody? = nil, failure: String? = nil,
        remark: String? = nil
    ) {
        self.status = status
        self.reason = reason
        self.fields = fields
        ownBody = kept
        ownWholeBody = kept.count < count ? count : nil
        ownFault = fault
        self.streamed = streamed
        self.failure = failure
        self.remark = remark
    }

    /// The response with a remark, as a sentence without a full stop.
    package func with(remark: String) -> ServedResponse {
        ServedResponse(
            status, reason, fields, kept: ownBody, of: ownWholeBody ?? ownBody.count, fault: ownFault,
            streamed: streamed, failure: failure, remark: remark)
    }

    /// The answer to an unmatched request. The event keeps the report.
    package static let unmatched = ServedResponse(status: 404)
    /// The answer to a CORS preflight.
    package static let preflight = ServedResponse(status: 200)

    /// The approximate size in memory, in bytes, without what is streamed.
    package var byteCount: Int {
        192 + ownBody.count + fields.reduce(0) { $0 + 32 + $1.name.utf8.count + $1.value.utf8.count }
            + (failure?.utf8.count ?? 0) + (remark?.utf8.count ?? 0)
    }

    /// Bytes of the body as text, in the charset of the response. Of a gzip body the beginning is decompressed.
    public func text(of body: ArraySlice<UInt8>) -> String {
        guard !body.isEmpty else { return "" }
        var described = LoggedRequest()
        described.headers = fields.filter { $0.name.lowercased() == "content-type" }
            .map { ResponseHeader($0.name, [$0.value]) }
        described.body = Array(body)
        let request = DescribedRequest(described, now: 0)
        let details = RequestDetails(request, bodyLimit: max(body.count, ShownText.longest))
        return String(decoding: details.bodyText, as: UTF8.self)
    }
}
