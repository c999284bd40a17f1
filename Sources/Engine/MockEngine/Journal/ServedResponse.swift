import HTTPMessages
import Matching
public import StubModel

/// The response that a request was answered with, before compression and framing: a fact of its serve event, whatever becomes
/// of the stub and its body file.
///
/// Events share one object where they were sent the same: that of a body file is made once for each content of the file.
public final class ServedResponse: Sendable {
    public let status: Int
    /// The reason phrase; nil for the registered one.
    public let reason: String?
    public let fields: [(name: String, value: String)]
    /// A long body is kept cut. Beside a fault it is what the stub says, though it was not sent.
    public let body: [UInt8]
    /// The size of a body that is kept cut; nil where it is whole.
    public let wholeBody: Int?
    /// What was done instead.
    public let fault: Fault?
    /// Why the stub could not be served, for people; nil where it was. The text that its client got is not kept.
    public let failure: String?

    /// - Parameter bodyLimit: the number of bytes of the body that are kept. A body within it is shared, not copied.
    init(
        status: Int, reason: String? = nil, fields: [(name: String, value: String)] = [], body: [UInt8] = [],
        bodyLimit: Int = .max, fault: Fault? = nil
    ) {
        let isCut = body.count > bodyLimit
        self.status = status
        self.reason = reason
        self.fields = fields
        self.body = isCut ? Array(body.prefix(bodyLimit)) : body
        wholeBody = isCut ? body.count : nil
        self.fault = fault
        failure = nil
    }

    /// The largest part of a body that is not in memory that is kept, whatever the limit is.
    private static let mostOfFile = 64 << 10

    /// A response whose body may stand in a file.
    convenience init(
        status: Int, reason: String? = nil, fields: [(name: String, value: String)], content: [BodyContent],
        bodyLimit: Int
    ) {
        if content.count == 1, let bytes = content[0].wholeBytes {
            self.init(status: status, reason: reason, fields: fields, body: bytes.bytes, bodyLimit: bodyLimit)
            return
        }
        var kept: [UInt8] = []
        for part in content { kept += part.prefix(min(bodyLimit, Self.mostOfFile) - kept.count) }
        self.init(
            status: status, reason: reason, fields: fields, kept: kept, of: content.reduce(0) { $0 + $1.count })
    }

    /// - Parameters:
    ///   - kept: the beginning of the body.
    ///   - count: the size of the whole.
    private init(status: Int, reason: String?, fields: [(name: String, value: String)], kept: [UInt8], of count: Int) {
        self.status = status
        self.reason = reason
        self.fields = fields
        body = kept
        wholeBody = kept.count < count ? count : nil
        fault = nil
        failure = nil
    }

    /// The 500 for a request whose stub could not be served.
    init(failure: String) {
        status = 500
        reason = nil
        fields = []
        body = []
        wholeBody = nil
        fault = nil
        self.failure = failure
    }

    /// The answer to a request that nothing was there for. The report is the event's.
    static let unmatched = ServedResponse(status: 404)
    /// The answer to a browser that asks for permission.
    static let preflight = ServedResponse(status: 200)

    /// What it holds in memory, roughly.
    var byteCount: Int {
        192 + body.count + fields.reduce(0) { $0 + 32 + $1.name.utf8.count + $1.value.utf8.count }
            + (failure?.utf8.count ?? 0)
    }

    /// Bytes of the body as text, in the charset of the response.
    func text(of body: ArraySlice<UInt8>) -> String {
        guard !body.isEmpty else { return "" }
        var described = LoggedRequest()
        described.headers = fields.filter { $0.name.lowercased() == "content-type" }
            .map { ResponseHeader($0.name, [$0.value]) }
        described.body = Array(body)
        let details = RequestDetails(DescribedRequest(described, now: 0))
        return String(decoding: details.bodyText, as: UTF8.self)
    }
}
