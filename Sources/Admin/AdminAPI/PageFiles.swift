import SDHTTPMessages
import SDHTTPTransport
import SDPlatform

/// The page at `/__admin/ui/`: the files of `CResources/ui`. They contain no data, so they need no credentials; the
/// page fetches its data from the admin API with the credentials that it is given.
enum PageFiles {
    /// The answer to a request for the page; nil for any other.
    static func response(to request: Request) -> PlainResponse? {
        guard request.path.starts(with: path) else { return nil }
        let rest = request.path.dropFirst(path.count)
        guard let slash = rest.first else { return redirect(to: "ui/") }
        guard slash == UInt8(ascii: "/") else { return nil }
        guard isGet(request) else { return nil }
        return file(named: rest.count == 1 ? ArraySlice("index.html".utf8) : rest.dropFirst(), request)
    }

    /// - Parameter path: relative to the request's path.
    static func redirect(to path: String) -> PlainResponse {
        PlainResponse(status: 302, headers: [("Location", path)])
    }

    private static let path = Array("/__admin/ui".utf8)

    private static func isGet(_ request: Request) -> Bool {
        ["GET", "HEAD"].contains { request.method.elementsEqual($0.utf8) }
    }

    private static func file(named name: ArraySlice<UInt8>, _ request: Request) -> PlainResponse? {
        guard let file = EmbeddedFiles.file(named: String(decoding: name, as: UTF8.self)), file.name != "openapi.json"
        else { return nil }
        let takesGzip = ResponseVariant(request, gzipAllowed: true).contains(.gzip)
        let tag = "\"\(file.tag)\""
        var headers = policies
        headers += [
            ("Content-Type", type(of: name)), ("Cache-Control", "no-cache"), ("ETag", tag), ("Vary", "Accept-Encoding"),
        ]
        if takesGzip { headers.append(("Content-Encoding", "gzip")) }
        let known = request.header(Array("if-none-match".utf8)).map { String(decoding: $0, as: UTF8.self) }
        if known == tag { return PlainResponse(status: 304, headers: headers) }
        return PlainResponse(status: 200, headers: headers, body: takesGzip ? file.packed : file.content)
    }

    private static func type(of name: ArraySlice<UInt8>) -> String {
        switch String(decoding: name.split(separator: UInt8(ascii: ".")).last ?? [], as: UTF8.self) {
        case "html": "text/html;charset=UTF-8"
        case "css": "text/css;charset=UTF-8"
        case "svg": "image/svg+xml"
        default: "text/javascript;charset=UTF-8"
        }
    }

    /// The page runs only its own scripts, and shows untrusted input: nothing in it may run, be fetched, or frame the
    /// page.
    static let policies: [(name: String, value: String)] = [
        (
            "Content-Security-Policy",
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src 'self'; "
                + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; "
                + "trusted-types 'none'"
        ),
        ("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "no-referrer"),
        ("Cross-Origin-Opener-Policy", "same-origin"), ("Cross-Origin-Resource-Policy", "same-origin"),
    ]
}
