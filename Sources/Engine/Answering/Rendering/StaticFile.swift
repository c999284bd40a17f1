package import SDHTTPMessages
package import SDHTTPTransport
package import SDJournal
package import SDMatching
import SDPlatform
import SDStubModel

/// A file of the `__files` folder that is served unchanged: under `/__files/`, and under its own path if no stub
/// matches a GET.
package struct StaticFile {
    /// The path below `__files`.
    package let path: String
    private let file: BodyFile
    private let mediaType: String

    /// The file that an unmatched request names; nil if there is none.
    package init?(_ request: some MatchableRequest, files: any BodyFileSource) {
        guard request.method.elementsEqual("GET".utf8) else { return nil }
        self.init(request.path.dropFirst(), files: files, indexHasCharset: true)
    }

    /// Finds a file.
    /// - Parameters:
    ///   - path: the path below `__files`, percent-encoded.
    ///   - indexHasCharset: whether an index file states its charset, as in WireMock.
    private init?(_ path: ArraySlice<UInt8>, files: any BodyFileSource, indexHasCharset: Bool) {
        // Most requests name no existing file.
        guard let path = decoded(path), path.isEmpty || files.mayHave(path) else { return nil }
        // A folder is served by its index file.
        let folder = path.isEmpty || path.hasSuffix("/") ? path : path + "/"
        let indexes = ["index.json", "index.html", "index.xml", "index.txt"].map { folder + $0 }
        for candidate in folder == path ? indexes : [path] + indexes where files.mayHave(candidate) {
            if let file = try? files.read(candidate) {
                self.path = candidate
                self.file = file
                let type = Self.mediaType(of: candidate)
                let isText = type.hasPrefix("text/") || type == "application/xml"
                mediaType = isText && indexHasCharset && candidate != path ? type + ";charset=utf-8" : type
                return
            }
        }
        return nil
    }

    /// The file, a range of it, or a 304.
    package func response(to request: Request) -> PlainResponse {
        FileResponse(file, mediaType: mediaType).response(to: request)
    }

    /// The response to an unmatched request as events store it: for a whole file its content and type, for a range the
    /// bytes that were sent.
    /// - Parameter files: what events share about whole files.
    package func served(_ response: PlainResponse, bodyLimit: Int, _ files: ServedFiles) -> ServedResponse {
        func made(_ fields: [(name: String, value: String)]) -> ServedResponse {
            ServedResponse(
                status: response.status, fields: fields, content: response.content, bodyLimit: bodyLimit)
        }
        let type = [(name: "Content-Type", value: Self.mediaType(of: path))]
        switch response.status {
        case 200: return files.response(of: path, version: file.version) { made(type) }
        case 206: return made(response.headers)
        default: return made(type)
        }
    }

    static func mediaType(of path: String) -> String {
        MediaType.bare(forFileNamed: path) ?? "application/json"
    }

    // MARK: Under /__files/

    /// Whether the path is below `/__files/`; such requests are not matched with stubs.
    package static func isAskedFor(_ request: some MatchableRequest) -> Bool {
        request.path.starts(with: prefix)
    }

    /// Finds the body file at a request's path; nil if there is none.
    package init?(asked request: some MatchableRequest, files: any BodyFileSource) {
        let path = request.path.dropFirst(Self.prefix.count)
        self.init(path, files: files, indexHasCharset: path.last != UInt8(ascii: "/"))
    }

    package static func response(_ request: Request, files: any BodyFileSource) -> PlainResponse {
        let method = String(decoding: request.method, as: UTF8.self)
        guard ["GET", "HEAD", "POST"].contains(method) else {
            return PlainResponse(status: method == "OPTIONS" ? 200 : 405, headers: [("Allow", "GET,HEAD,POST,OPTIONS")])
        }
        guard let file = StaticFile(asked: request, files: files) else {
            let name = String(decoding: request.path.dropFirst(prefix.count), as: UTF8.self)
            return PlainResponse(status: 404, text: "There is no file `\(name)` in __files.\n")
        }
        return file.response(to: request)
    }

    private static let prefix = Array("/__files/".utf8)
}

/// The path with its escapes decoded; nil if they are malformed or not UTF-8.
private func decoded(_ path: ArraySlice<UInt8>) -> String? {
    guard path.contains(UInt8(ascii: "%")) else { return String(validating: path, as: UTF8.self) }
    return PercentEncoding.decode(path).flatMap { String(validating: $0, as: UTF8.self) }
}
