import Bytes
import Gzip
import HTTPTransport
import Matching
import MockEngine
import StubModel

/// The body of an admin call as its client means it: without its content coding, and in UTF-8.
enum AdminContent {
    private static let encodingName = Array("content-encoding".utf8)
    private static let typeName = Array("content-type".utf8)

    /// - Parameters:
    ///   - limit: the most bytes that come out of a compressed body.
    ///   - isText: gzip that does not say so is decompressed, too, as WireMock does it.
    /// - Throws: 415 for another coding than gzip, 400 for a body that is none, 413 for one that holds more.
    static func decoded(_ request: Request, limit: Int, isText: Bool) throws(AdminError) -> [UInt8] {
        let coding = request.header(encodingName).map { String(decoding: $0, as: UTF8.self).lowercased() } ?? ""
        switch coding {
        case "" where isText && request.body.starts(with: [0x1f, 0x8b]): break
        case "", "identity": return Array(request.body)
        case "gzip", "x-gzip": break
        default:
            let title = "The content encoding \(coding) is not understood; send gzip, or the body as it is"
            throw AdminError(415, ErrorDocument(code: 10, title: title))
        }
        if request.body.isEmpty { return [] }
        do throws(GzipProblem) {
            return try decompressed(request.body, limit: limit)
        } catch {
            switch error {
            case .malformed:
                throw AdminError(400, ErrorDocument(code: 10, title: "The body is not gzip, or is cut short"))
            case .tooLarge:
                let title = "The compressed body holds more than \(limit) bytes (--max-body-size)"
                throw AdminError(413, ErrorDocument(code: 10, title: title))
            }
        }
    }

    /// - Throws: 415 for a charset that is not known.
    static func text(_ request: Request, _ content: [UInt8]) throws(AdminError) -> [UInt8] {
        let type = request.header(typeName)
        guard let encoding = TextEncoding(charsetOf: type) else {
            let charset = type.map { String(decoding: $0, as: UTF8.self) } ?? ""
            let title = "The charset of \(charset) is not known; send UTF-8"
            throw AdminError(415, ErrorDocument(code: 10, title: title))
        }
        return Array(encoding.utf8(content[...]))
    }
}
