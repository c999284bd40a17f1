import Bytes
import Gzip

/// What of a request costs an allocation to look at: body, form, cookies, parts, origin. Each is decoded when the first
/// stub asks, and shared by all others. Belongs to one request and its thread.
final class RequestContent {
    /// The body as matchers see it; nil where it is empty, which string matchers take for absent.
    let body: ParsedDocument?
    let origin: RequestOrigin
    let cookies: [QueryParameter]
    private let contentType: ArraySlice<UInt8>?

    /// A gzip body that holds more stays compressed.
    private static let largestBody = 100 * 1024 * 1024
    private static let formType = "application/x-www-form-urlencoded".bytes

    init(_ request: some MatchableRequest) {
        contentType = request.firstHeader(Array("content-type".utf8))
        origin = RequestOrigin(request)
        cookies = Cookies.parse(request)
        let plain = Self.uncompressed(request.body)
        body =
            plain.isEmpty
            ? nil : ParsedDocument(binary: plain, text: TextEncoding(contentType: contentType).utf8(plain))
    }

    /// WireMock goes by the first bytes, not by the header: a gzip body without `Content-Encoding` is decompressed too.
    private static func uncompressed(_ body: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard body.starts(with: [0x1F, 0x8B]) else { return body }
        return gunzipped(body, limit: largestBody)?[...] ?? body
    }

    /// The fields of a form, none where the body is no form or cannot be decoded.
    private(set) lazy var form: [QueryParameter] = {
        guard let contentType, let body else { return [] }
        let type = contentType.map { $0 &- 0x41 < 26 ? $0 | 0x20 : $0 }
        guard type[...].contains(Self.formType) else { return [] }
        return QueryDecoding(form: TextEncoding(contentType: contentType)).parameters(of: body.binary) ?? []
    }()

    var isMultipart: Bool { Multipart.isMultipart(contentType) }

    private(set) lazy var parts: [BodyPart] = {
        guard let contentType, let body, isMultipart else { return [] }
        return Multipart.parts(of: body.binary, contentType: contentType)
    }()
}
