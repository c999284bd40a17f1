package import SDHTTPMessages
import SDMatching
public import SDStubModel

/// The response to a request, before compression and framing. It belongs to the serve event, and does not change with
/// the stub or its body file.
///
/// Events with the same response share one object; that of a body file is made once for each version of the file.
public final class ServedResponse: Sendable {
    public let status: Int
    /// The reason phrase; nil for the registered one.
    public let reason: String?
    public let fields: [(name: String, value: String)]
    private let ownBody: [UInt8]
    private let ownWholeBody: Int?
    private let ownFault: Fault?
    /// The growing body of a stream; nil for any other response.
    private let streamed: StreamedBody?
    /// The message why the stub could not be served; nil if it was served. The client's text is not stored.
    public let failure: String?
    /// What is wrong with the response although it was sent, without a full stop; nil for nothing.
    public let warning: String?

    /// Makes a response whose body is in memory.
    /// - Parameter bodyLimit: the largest number of body bytes to store. A shorter body is shared, not copied.
    package convenience init(
        status: Int, reason: String? = nil, fields: [(name: String, value: String)] = [], body: [UInt8] = [],
        bodyLimit: Int = .max, fault: Fault? = nil
    ) {
        let kept = body.count > bodyLimit ? Array(body.prefix(bodyLimit)) : body
        self.init(status, reason, fields, kept: kept, of: body.count, fault: fault)
    }

    /// Makes a response whose body is streamed.
    package convenience init(
        status: Int, reason: String?, fields: [(name: String, value: String)], streamed: StreamedBody
    ) {
        self.init(status, reason, fields, of: 0, streamed: streamed)
    }

    /// The body, truncated if it is long. With a fault, it is the stub's body, though it was not sent; for a stream,
    /// what was written to the connection so far.
    public var body: [UInt8] { streamed?.kept ?? ownBody }

    /// Whether the body was streamed.
    package var isStreamed: Bool { streamed != nil }

    /// The full size in bytes of a truncated body; nil if it is whole.
    public var wholeBody: Int? {
        guard let streamed else { return ownWholeBody }
        let count = streamed.count
        return count > streamed.kept.count ? count : nil
    }

    /// The fault that replaced the response, or ended a stream; nil for none.
    public var fault: Fault? { streamed?.fault ?? ownFault }

    /// The largest number of stored bytes of a body that is not in memory, whatever the limit.
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

    /// The answer to a request whose stub could not be served.
    package convenience init(failure: String, status: Int = 500) {
        self.init(status, nil, [], failure: failure)
    }

    /// Makes the answer to a request that could not be served, with the body that the client got.
    package convenience init(
        status: Int, fields: [(name: String, value: String)], body: [UInt8], failure: String
    ) {
        self.init(status, nil, fields, kept: body, of: body.count, failure: failure)
    }

    /// Makes the response of another replica.
    /// - Parameter isStreamed: whether its body was streamed.
    convenience init(
        packed status: Int, _ reason: String?, _ fields: [(name: String, value: String)], kept: [UInt8], of count: Int,
        fault: Fault?, failure: String?, warning: String?, isStreamed: Bool
    ) {
        guard isStreamed else {
            self.init(
                status, reason, fields, kept: kept, of: count, fault: fault, failure: failure, warning: warning)
            return
        }
        let streamed = StreamedBody(limit: kept.count, most: kept.count)
        streamed.add(count) { _ in kept }
        if let fault { streamed.end(with: fault) }
        self.init(status, reason, fields, streamed: streamed, failure: failure, warning: warning)
    }

    /// - Parameters:
    ///   - kept: the beginning of the body, or all of it.
    ///   - count: the size of the whole body.
    private init(
        _ status: Int, _ reason: String?, _ fields: [(name: String, value: String)], kept: [UInt8] = [],
        of count: Int = 0, fault: Fault? = nil, streamed: StreamedBody? = nil, failure: String? = nil,
        warning: String? = nil
    ) {
        self.status = status
        self.reason = reason
        self.fields = fields
        ownBody = kept
        ownWholeBody = kept.count < count ? count : nil
        ownFault = fault
        self.streamed = streamed
        self.failure = failure
        self.warning = warning
    }

    /// The response with a remark, as a sentence without a full stop.
    package func with(warning: String) -> ServedResponse {
        ServedResponse(
            status, reason, fields, kept: ownBody, of: ownWholeBody ?? ownBody.count, fault: ownFault,
            streamed: streamed, failure: failure, warning: warning)
    }

    /// The answer to an unmatched request. The event keeps the report.
    package static let unmatched = ServedResponse(status: 404)
    /// The answer to a CORS preflight.
    package static let preflight = ServedResponse(status: 200)

    /// The approximate size in memory, in bytes, without a streamed body.
    package var byteCount: Int {
        192 + ownBody.count + fields.reduce(0) { $0 + 32 + $1.name.utf8.count + $1.value.utf8.count }
            + (failure?.utf8.count ?? 0) + (warning?.utf8.count ?? 0)
    }

    /// Bytes of the body as text, in the charset of the response. Of a gzip body the beginning is decompressed.
    public func text(of body: ArraySlice<UInt8>) -> String {
        guard !body.isEmpty else { return "" }
        var described = LoggedRequest()
        described.headers = fields.filter { $0.name.lowercased() == "content-type" }
            .map { ResponseHeader($0.name, [$0.value]) }
        described.body = Array(body)
        let request = DescribedRequest(described, now: 0)
        let details = RequestDetails(request, bodyLimit: max(body.count, TextPreview.longest))
        return String(decoding: details.bodyText, as: UTF8.self)
    }
}
