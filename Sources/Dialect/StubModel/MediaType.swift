/// Media types by file name.
public enum MediaType {
    /// The media type for the extension, with `charset=utf-8` for text types. Nil if the extension is unknown.
    public static func suggested(forFileNamed name: String) -> String? {
        bare(forFileNamed: name).map { $0.hasPrefix("text/") ? $0 + "; charset=utf-8" : $0 }
    }

    /// The media type for the extension in any case, without a charset. Nil if the extension is unknown.
    public static func bare(forFileNamed name: String) -> String? {
        let last = name.split(separator: "/").last ?? ""
        guard let dot = last.lastIndex(of: "."), dot != last.startIndex else { return nil }
        return byExtension[last[last.index(after: dot)...].lowercased()]
    }

    private static let byExtension: [String: String] = [
        "json": "application/json", "geojson": "application/geo+json", "jsonld": "application/ld+json",
        "ndjson": "application/x-ndjson", "map": "application/json", "webmanifest": "application/manifest+json",
        "html": "text/html", "htm": "text/html", "css": "text/css",
        "js": "text/javascript", "mjs": "text/javascript",
        "txt": "text/plain", "md": "text/markdown", "csv": "text/csv",
        "xml": "application/xml", "xhtml": "application/xhtml+xml", "yaml": "application/yaml",
        "yml": "application/yaml", "ics": "text/calendar",
        "png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg", "gif": "image/gif", "webp": "image/webp",
        "avif": "image/avif", "heic": "image/heic", "svg": "image/svg+xml", "ico": "image/x-icon",
        "bmp": "image/bmp", "tif": "image/tiff", "tiff": "image/tiff",
        "mp3": "audio/mpeg", "m4a": "audio/mp4", "ogg": "audio/ogg", "wav": "audio/wav", "aac": "audio/aac",
        "mp4": "video/mp4", "mov": "video/quicktime", "webm": "video/webm", "m3u8": "application/vnd.apple.mpegurl",
        "ts": "video/mp2t", "pdf": "application/pdf", "zip": "application/zip", "gz": "application/gzip",
        "wasm": "application/wasm", "bin": "application/octet-stream",
        "woff": "font/woff", "woff2": "font/woff2", "ttf": "font/ttf", "otf": "font/otf",
    ]
}
