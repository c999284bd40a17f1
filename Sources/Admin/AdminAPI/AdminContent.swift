import SDHTTPTransport
import SDMatching
import SDMockEngine
import SDPlatform
import SDStubModel

/// Decodes the body of an admin call: removes the content coding and converts to UTF-8.
enum AdminContent {
    private static let encodingName = Array("content-encoding".utf8)
    private static let typeName = Array("content-type".utf8)

    /// The body without its content coding.
    /// - Parameters:
    ///   - limit: the maximum size of a decompressed body in bytes.
    ///   - isText: whether gzip is also recognised by its first bytes, as in WireMock.
    /// - Throws: 415 for a coding other than gzip, 400 for invalid gzip, 413 beyond `limit`.
    static func decoded(_ request: Request, limit: Int, isText: Bool) throws(AdminError) -> [UInt8] {
        let coding = request.header(encodingName).map { String(decoding: $0, as: UTF8.self).lowercased() } ?? ""
        switch coding {
        case "" where isText && request.body.starts(with: [0x1f, 0x8b]): break
        case "", "identity": return Array(request.body)
        case "gzip", "x-gzip": break
        default:
            let title = "The content encoding \(coding) is not supported; send gzip, or an uncompressed body"
            throw AdminError(415, ErrorDocument(code: 10, title: title))
        }
        if request.body.isEmpty { return [] }
        do throws(GzipProblem) {
            return try decompressed(request.body, limit: limit)
        } catch {
            switch error {
            case .malformed:
                throw AdminError(400, ErrorDocument(code: 10, title: "The body is not gzip, or is truncated"))
            case .tooLarge:
                let title = "The decompressed body has more than \(limit) bytes (--max-body-size)"
                throw AdminError(413, ErrorDocument(code: 10, title: title))
            }
        }
    }

    /// The content as UTF-8.
    /// - Throws: 415 for an unknown charset.
    static func text(_ request: Request, _ content: [UInt8]) throws(AdminError) -> [UInt8] {
        let type = request.header(typeName)
        guard let encoding = TextEncoding(charsetOf: type) else {
            let charset = type.map { String(decoding: $0, as: UTF8.self) } ?? ""
            let title = "The charset \(charset) is not supported; send UTF-8"
            throw AdminError(415, ErrorDocument(code: 10, title: title))
        }
        return Array(encoding.utf8(content[...]))
    }
}
