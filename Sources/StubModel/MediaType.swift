/// Which Content-Type a file's name suggests.
public enum MediaType {
    /// By the extension, letter case irrelevant; text types carry `charset=utf-8`. Nil if the extension is unknown.
    public static func suggested(forFileNamed name: String) -> String? {
        let last = name.split(separator: "/").last ?? ""
        guard let dot = last.lastIndex(of: "."), dot != last.startIndex else { return nil }
        return byExtension[last[last.index(after: dot)...].lowercased()]
    }

    private static let byExtension: [String: String] = [
        "json": "application/json", "geojson": "application/geo+json", "jsonld": "application/ld+json",
        "ndjson": "application/x-ndjson", "map": "application/json", "webmanifest": "application/manifest+json",
        "html": "text/html; charset=utf-8", "htm": "text/html; charset=utf-8", "css": "text/css; charset=utf-8",
        "js": "text/javascript; charset=utf-8", "mjs": "text/javascript; charset=utf-8",
        "txt": "text/plain; charset=utf-8", "md": "text/markdown; charset=utf-8", "csv": "text/csv; charset=utf-8",
        "xml": "application/xml", "xhtml": "application/xhtml+xml", "yaml": "application/yaml",
        "yml": "application/yaml", "ics": "text/calendar; charset=utf-8",
        "png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg", "gif": "image/gif", "webp": "image/webp",
        "avif": "image/avif", "heic": "image/heic", "svg": "image/svg+xml", "ico": "image/vnd.microsoft.icon",
        "bmp": "image/bmp", "tif": "image/tiff", "tiff": "image/tiff",
        "mp3": "audio/mpeg", "m4a": "audio/mp4", "ogg": "audio/ogg", "wav": "audio/wav", "aac": "audio/aac",
        "mp4": "video/mp4", "mov": "video/quicktime", "webm": "video/webm", "m3u8": "application/vnd.apple.mpegurl",
        "ts": "video/mp2t", "pdf": "application/pdf", "zip": "application/zip", "gz": "application/gzip",
        "wasm": "application/wasm", "bin": "application/octet-stream",
        "woff": "font/woff", "woff2": "font/woff2", "ttf": "font/ttf", "otf": "font/otf",
    ]
}
