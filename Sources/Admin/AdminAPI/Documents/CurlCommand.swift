import SDHTTPTransport
import SDJournal
import SDMockEngine

/// A POSIX shell command that repeats a request: same method, target, headers and body, to the port that received it.
struct CurlCommand {
    private let request: Request
    private let redaction: Redaction?
    private let body: [UInt8]
    private let wholeBody: Int?

    init(_ event: ServeEvent, redaction: Redaction?) {
        request = event.request
        wholeBody = event.wholeBody
        self.redaction = redaction
        let type = request.header(Array("content-type".utf8)).map { String(decoding: $0, as: UTF8.self) }
        body = redaction.redacted(body: Array(request.body), type: type)
    }

    /// The command, as bytes, since header values and bodies need not be UTF-8.
    var bytes: [UInt8] {
        var command: [UInt8] = []
        if isBinary { command += Array("printf '".utf8) + printfFormat(body[...]) + Array("' | ".utf8) }
        command += Array("curl".utf8) + options
        for header in headers { command += Array(" \\\n  -H ".utf8) + quoted(header) }
        if isBinary {
            command += Array(" \\\n  --data-binary @-".utf8)
        } else if !body.isEmpty {
            command += Array(" \\\n  --data-raw ".utf8) + quoted(body)
        }
        command += Array(" \\\n  ".utf8) + quoted(url) + Array("\n".utf8)
        if let wholeBody {
            command += Array("# the journal kept \(request.body.count) of the body's \(wholeBody) bytes\n".utf8)
        }
        return command
    }

    // MARK: Request

    private var options: [UInt8] {
        var options: [UInt8] = []
        let method = String(decoding: request.method, as: UTF8.self)
        // With `-X HEAD`, curl would wait for a body that never comes.
        options +=
            method == "HEAD" && body.isEmpty
            ? Array(" --head".utf8) : Array(" -X ".utf8) + quoted(request.method)
        if let version { options += Array(" \(version)".utf8) }
        // Its certificate may be untrusted.
        if request.isSecure { options += Array(" --insecure".utf8) }
        // Otherwise curl removes `..` from the path, and treats brackets and braces as patterns.
        options += Array(" --path-as-is --globoff".utf8)
        return options
    }

    /// The option for the request's HTTP version; nil for curl's default.
    private var version: String? {
        switch request.version {
        case .http10: "--http1.0"
        case .http11: request.isSecure ? "--http1.1" : nil
        case .http2: request.isSecure ? "--http2" : "--http2-prior-knowledge"
        }
    }

    private var url: [UInt8] {
        let target = redaction.url(of: request)
        let scheme = request.isSecure ? "https" : "http"
        let place = request.localPort > 0 ? ":\(request.localPort)" : ""
        return Array("\(scheme)://localhost\(place)\(target)".utf8)
    }

    /// All header fields except those that frame the body. Fields that curl adds by default are suppressed if the
    /// request lacks them.
    private var headers: [[UInt8]] {
        var lines: [[UInt8]] = []
        var names: Set<String> = []
        for (name, value) in request.headers {
            let text = String(decoding: name, as: UTF8.self)
            names.insert(text.lowercased())
            // curl would read a file of that name.
            if text.hasPrefix("@") { continue }
            if ["content-length", "transfer-encoding", "expect"].contains(text.lowercased()) { continue }
            let shown = shown(text, value)
            lines.append(shown.isEmpty ? name + [UInt8(ascii: ";")] : name + Array(": ".utf8) + shown)
        }
        if request.version == .http2, let authority = request.authority, !names.contains("host") {
            names.insert("host")
            lines.append(Array("Host: ".utf8) + authority)
        }
        var added = ["Host", "User-Agent", "Accept"]
        if !body.isEmpty { added += ["Content-Type"] }
        return lines + added.filter { !names.contains($0.lowercased()) }.map { Array("\($0):".utf8) }
    }

    /// The value of a header field, redacted; its bytes need not be UTF-8.
    private func shown(_ name: String, _ value: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let text = String(decoding: value, as: UTF8.self)
        let shown = redaction.redacted(name, text)
        return shown == text ? value : Array(shown.utf8)[...]
    }

    // MARK: Quoting

    /// Whether the body cannot be text: a command line cannot contain NUL, and copying does not preserve invalid UTF-8.
    private var isBinary: Bool {
        body.contains(0) || String(validating: body, as: UTF8.self) == nil
    }

    /// The bytes in single quotes, in which the shell interprets only the quote itself.
    private func quoted(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        var quoted: [UInt8] = [UInt8(ascii: "'")]
        for byte in bytes {
            if byte == UInt8(ascii: "'") { quoted += Array("'\\''".utf8) } else { quoted.append(byte) }
        }
        return quoted + [UInt8(ascii: "'")]
    }

    /// A `printf` format that yields the bytes, as three octal digits each.
    private func printfFormat(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        var format: [UInt8] = []
        for byte in bytes {
            format += [UInt8(ascii: "\\"), 0x30 + (byte >> 6), 0x30 + (byte >> 3 & 7), 0x30 + (byte & 7)]
        }
        return format
    }
}
