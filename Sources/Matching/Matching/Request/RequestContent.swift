import SDBudget
import SDBytes
import SDGzip

/// The parts of a request that need an allocation to read: body, form, cookies, parts, origin. Each is decoded when the
/// first stub needs it, and shared by all others. Belongs to one request and its thread.
final class RequestContent {
    private let contentType: ArraySlice<UInt8>?
    /// The body as sent.
    private let sent: ArraySlice<UInt8>
    private var knownOrigin: RequestOrigin?
    private var knownCookies: [QueryParameter]?

    /// The most bytes of a decompressed body; a gzip body that holds more stays compressed.
    private static let largestBody = 100 * 1024 * 1024
    private static let formType = "application/x-www-form-urlencoded".bytes
    private static let contentTypeName = Array("content-type".utf8)

    private let budget: WorkBudget

    /// - Parameter budget: what parsing is drawn from.
    init(_ request: some MatchableRequest, _ budget: WorkBudget) {
        self.budget = budget
        contentType = request.firstHeader(Self.contentTypeName)
        sent = request.body
    }

    /// The request's destination and source. `request` must be the one from which this was made.
    func origin(of request: some MatchableRequest) -> RequestOrigin {
        if let knownOrigin { return knownOrigin }
        let origin = RequestOrigin(request)
        knownOrigin = origin
        return origin
    }

    /// The cookies in order. `request` must be the one from which this was made.
    func cookies(of request: some MatchableRequest) -> [QueryParameter] {
        if let knownCookies { return knownCookies }
        let cookies = Cookies.parse(request)
        knownCookies = cookies
        return cookies
    }

    /// The body as matchers see it; nil if it is empty, which string matchers take as absent.
    private(set) lazy var body: ParsedDocument? = {
        let plain = Self.uncompressed(sent)
        guard !plain.isEmpty else { return nil }
        return ParsedDocument(binary: plain, text: TextEncoding(contentType: contentType).utf8(plain), budget)
    }()

    /// Decompresses a gzip body. WireMock goes by the first bytes, not by the header, so `Content-Encoding` is not
    /// needed.
    private static func uncompressed(_ body: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard body.starts(with: [0x1F, 0x8B]) else { return body }
        return (try? decompressed(body, limit: largestBody))?[...] ?? body
    }

    /// The fields of a form; none if the body is no form or cannot be decoded.
    private(set) lazy var form: [QueryParameter] = {
        guard let contentType, let body else { return [] }
        let type = contentType.map { $0 &- 0x41 < 26 ? $0 | 0x20 : $0 }
        guard type[...].contains(Self.formType) else { return [] }
        return QueryDecoding(form: TextEncoding(contentType: contentType)).parameters(of: body.binary) ?? []
    }()

    var isMultipart: Bool { Multipart.isMultipart(contentType) }

    private(set) lazy var parts: [BodyPart] = {
        guard let contentType, let body, isMultipart else { return [] }
        return Multipart.parts(of: body.binary, contentType: contentType, budget)
    }()
}
