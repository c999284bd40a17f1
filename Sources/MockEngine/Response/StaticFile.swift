import Bytes
import HTTPTransport

/// A file of the `__files` folder that is served as it is: under `/__files/`, and under its own path where a GET matched
/// no stub.
struct StaticFile {
    let path: String
    private let bytes: [UInt8]

    /// The file that an unmatched request asks for; nil where there is none.
    init?(_ request: Request, files: any BodyFileSource) {
        guard request.method.elementsEqual("GET".utf8) else { return nil }
        self.init(request.path.dropFirst(), files: files)
    }

    /// - Parameter path: below `__files`, with its escapes.
    private init?(_ path: ArraySlice<UInt8>, files: any BodyFileSource) {
        guard let path = decoded(path) else { return nil }
        // A folder stands for its index.
        let folder = path.isEmpty || path.hasSuffix("/") ? path : path + "/"
        let indexes = ["index.json", "index.html", "index.xml", "index.txt"].map { folder + $0 }
        for candidate in folder == path ? indexes : [path] + indexes {
            if let file = try? files.read(candidate) {
                self.path = candidate
                bytes = file.bytes
                return
            }
        }
        return nil
    }

    var response: PlainResponse {
        PlainResponse(status: 200, headers: [("Content-Type", mediaType)], body: bytes)
    }

    private var mediaType: String { Self.mediaType(of: path) }

    /// By the extension.
    static func mediaType(of path: String) -> String {
        let name = path.split(separator: "/").last ?? ""
        guard let dot = name.lastIndex(of: ".") else { return "application/json" }
        return mediaTypes[name[name.index(after: dot)...].lowercased()] ?? "application/json"
    }

    // MARK: Under /__files/

    /// Whether the path is that of a body file: no stub sees such a request.
    static func isAskedFor(_ request: Request) -> Bool {
        let path = request.path
        // One comparison keeps ordinary paths out of what follows.
        guard path.count > 8, path[path.startIndex + 1] == UInt8(ascii: "_") else { return false }
        return path.starts(with: prefix)
    }

    static func response(_ request: Request, files: any BodyFileSource) -> PlainResponse {
        let method = String(decoding: request.method, as: UTF8.self)
        guard ["GET", "HEAD", "POST"].contains(method) else {
            return PlainResponse(status: method == "OPTIONS" ? 200 : 405, headers: [("Allow", "GET,HEAD,POST,OPTIONS")])
        }
        let path = request.path.dropFirst(prefix.count)
        guard let file = StaticFile(path, files: files) else {
            let name = String(decoding: path, as: UTF8.self)
            return PlainResponse(status: 404, text: "There is no file `\(name)` in __files.\n")
        }
        return file.response
    }

    private static let prefix = Array("/__files/".utf8)
}

/// The path with its escapes decoded; nil where they are broken or no UTF-8.
private func decoded(_ path: ArraySlice<UInt8>) -> String? {
    PercentEncoding.decode(path).flatMap { String(validating: $0, as: UTF8.self) }
}

private let mediaTypes = [
    "json": "application/json", "html": "text/html", "htm": "text/html", "xml": "application/xml",
    "txt": "text/plain", "css": "text/css", "js": "text/javascript", "mjs": "text/javascript", "csv": "text/csv",
    "png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg", "gif": "image/gif", "svg": "image/svg+xml",
    "webp": "image/webp", "ico": "image/x-icon", "pdf": "application/pdf", "zip": "application/zip",
    "gz": "application/gzip", "wasm": "application/wasm", "woff2": "font/woff2", "mp4": "video/mp4",
    "yaml": "application/yaml", "yml": "application/yaml",
]
