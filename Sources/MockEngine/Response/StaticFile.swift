import HTTPTransport

/// A file of the `__files` folder that is served as it is: under `/__files/`, and under its own path where a GET matched
/// no stub.
struct StaticFile {
    private let path: String
    private let bytes: [UInt8]

    /// Nil where there is no such file, or where the request does not ask for one.
    init?(_ request: Request, files: any BodyFileSource) {
        guard request.method.elementsEqual("GET".utf8), let path = decoded(request.path), path.hasPrefix("/") else {
            return nil
        }
        let prefix = "/__files/"
        let relative = path.hasPrefix(prefix) ? path.dropFirst(prefix.count) : path.dropFirst()
        let candidates =
            relative.isEmpty || relative.hasSuffix("/")
            ? ["index.json", "index.html", "index.xml", "index.txt"].map { relative + $0 } : [String(relative)]
        for candidate in candidates {
            if let file = try? files.read(candidate) {
                self.path = candidate
                bytes = file.bytes
                return
            }
        }
        return nil
    }

    func script(_ request: Request) -> WireScript {
        PlainResponse(status: 200, headers: [("Content-Type", mediaType)], body: bytes).script(for: request)
    }

    private var mediaType: String {
        let name = path.split(separator: "/").last ?? ""
        guard let dot = name.lastIndex(of: ".") else { return "application/json" }
        return mediaTypes[name[name.index(after: dot)...].lowercased()] ?? "application/json"
    }
}

/// The path with its escapes decoded; nil where they are no UTF-8.
private func decoded(_ path: ArraySlice<UInt8>) -> String? {
    func hex(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x41 + 10
        case 0x61...0x66: byte - 0x61 + 10
        default: nil
        }
    }
    var bytes: [UInt8] = []
    var rest = path
    while let byte = rest.popFirst() {
        guard byte == UInt8(ascii: "%") else {
            bytes.append(byte)
            continue
        }
        guard let high = rest.popFirst().flatMap(hex), let low = rest.popFirst().flatMap(hex) else { return nil }
        bytes.append(high << 4 | low)
    }
    return String(validating: bytes, as: UTF8.self)
}

private let mediaTypes = [
    "json": "application/json", "html": "text/html", "htm": "text/html", "xml": "application/xml",
    "txt": "text/plain", "css": "text/css", "js": "text/javascript", "mjs": "text/javascript", "csv": "text/csv",
    "png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg", "gif": "image/gif", "svg": "image/svg+xml",
    "webp": "image/webp", "ico": "image/x-icon", "pdf": "application/pdf", "zip": "application/zip",
    "gz": "application/gzip", "wasm": "application/wasm", "woff2": "font/woff2", "mp4": "video/mp4",
    "yaml": "application/yaml", "yml": "application/yaml",
]
