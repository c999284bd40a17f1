import SDJSON
import SDMatching
import SDStubModel
import SDText

/// Findings about the URL, the method and the names of a request pattern, most of them habits from other formats.
struct RequestLint {
    private let request: RequestPattern
    private var findings: [StubLint.Found] = []

    static func findings(in request: RequestPattern) -> [StubLint.Found] {
        var lint = RequestLint(request)
        lint.lookAtPath()
        lint.lookAtMethod()
        lint.lookAtReservedPaths()
        lint.lookAtPathParameters()
        for header in request.headers {
            lint.findings += HeaderNameLint.finding(header.name, at: ["request", "headers"]).map { [$0] } ?? []
        }
        return lint.findings
    }

    private init(_ request: RequestPattern) {
        self.request = request
    }

    private mutating func add(
        _ code: StubFinding.Code, at path: [String], _ message: String, expected: String? = nil,
        isAboutName: Bool = false, suggestion: String? = nil
    ) {
        findings.append(
            StubLint.Found(
                code: code, pointer: JSONPointer(["request"] + path), message: message, expected: expected,
                isAboutName: isAboutName, suggestion: suggestion))
    }

    // MARK: - Path

    private mutating func lookAtPath() {
        switch request.url {
        case .any, .urlPattern, .urlPathPattern: break
        case .url(let text): lookForHabits(text, "url", isTemplate: false)
        case .urlPath(let text): lookForHabits(text, "urlPath", isTemplate: false)
        case .urlPathTemplate(let text): lookForHabits(text, "urlPathTemplate", isTemplate: true)
        }
    }

    private mutating func lookForHabits(_ text: String, _ field: String, isTemplate: Bool) {
        let query = text.firstIndex(of: "?") ?? text.endIndex
        let path = PathHabits(text[..<query], isTemplate: isTemplate)
        let elsewhere = isTemplate ? "" : "; in WireMock's form under \"urlPathTemplate\""
        if let (found, corrected) = path.colon {
            add(
                .colonInPath, at: [field], "\(found) is literal in a path",
                expected: "{\(found.dropFirst())} for a variable" + elsewhere, suggestion: corrected)
        }
        if let (found, corrected) = path.star {
            add(
                .starInPath, at: [field], "\(found) is literal in a path",
                expected: "{name} for one segment, or ** for any number of them" + elsewhere, suggestion: corrected)
        }
    }

    private mutating func lookAtReservedPaths() {
        let prefix = URLScope(request.url).prefix
        let reserved = [("/__admin", "the admin API answers it"), ("/__session", "it selects a session")]
        for (path, reason) in reserved where prefix.starts(with: path.utf8) {
            let next = prefix.dropFirst(path.utf8.count).first
            guard next == nil || next == UInt8(ascii: "/") || next == UInt8(ascii: "?") else { continue }
            add(
                .reservedPath, at: [request.url.field ?? "url"], "requests below \(path) never reach a stub: \(reason)",
                expected: "another path")
        }
    }

    private mutating func lookAtPathParameters() {
        guard case .urlPathTemplate(let text) = request.url, let names = PathTemplate(text)?.names else { return }
        for parameter in request.pathParameters where !names.contains(parameter.name) {
            add(
                .unknownPathParameter, at: ["pathParameters", parameter.name],
                "the path has no variable {\(parameter.name)}, so this never matches",
                expected: names.isEmpty ? "a path with variables" : "one of \(names.joined(separator: ", "))",
                isAboutName: true, suggestion: nearestName(to: parameter.name, among: names))
        }
    }

    // MARK: - Method

    /// Methods in IANA's registry that are in use, and some that are not in it.
    private static let methods: Set<String> = [
        "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT", "ANY", "GET_OR_HEAD", "QUERY",
        "PURGE", "PROPFIND", "PROPPATCH", "MKCOL", "COPY", "MOVE", "LOCK", "UNLOCK", "REPORT", "SEARCH", "ACL", "BIND",
        "UNBIND", "REBIND", "LINK", "UNLINK", "MERGE", "CHECKIN", "CHECKOUT", "UPDATE", "LABEL", "SUBSCRIBE",
        "UNSUBSCRIBE", "NOTIFY", "M-SEARCH", "MKCALENDAR", "LIST", "PUSH", "SET",
    ]
    /// The methods that a misspelt one may mean.
    private static let usual = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT", "ANY"]

    private mutating func lookAtMethod() {
        switch request.method {
        case .any: break
        case .exactly(let name): lookAtMethod(name, at: ["method"])
        case .oneOf(let names):
            for (index, name) in names.enumerated() { lookAtMethod(name, at: ["method", "oneOf", String(index)]) }
        case .noneOf(let names):
            for (index, name) in names.enumerated() { lookAtMethod(name, at: ["method", "noneOf", String(index)]) }
        }
    }

    private mutating func lookAtMethod(_ name: String, at path: [String]) {
        guard !Self.methods.contains(name) else { return }
        let upper = name.uppercased()
        if Self.methods.contains(upper) {
            add(
                .methodCase, at: path, "methods are case-sensitive, so this is not \(upper)",
                expected: "a method in upper case", suggestion: upper)
        } else if let nearest = nearestName(to: upper, among: Self.usual) {
            add(
                .unknownMethod, at: path, "\(name) is not a known method",
                expected: "a method that clients send", suggestion: nearest)
        }
    }
}

extension URLPattern {
    /// The field of the URL; nil if there is none.
    fileprivate var field: String? {
        switch self {
        case .any: nil
        case .url: "url"
        case .urlPattern: "urlPattern"
        case .urlPath: "urlPath"
        case .urlPathPattern: "urlPathPattern"
        case .urlPathTemplate: "urlPathTemplate"
        }
    }
}

/// Variables and wildcards in the syntax of other formats, which are literal here.
struct PathHabits {
    private let segments: [Substring]
    private let isTemplate: Bool

    init(_ path: Substring, isTemplate: Bool) {
        segments = path.split(separator: "/", omittingEmptySubsequences: false)
        self.isTemplate = isTemplate
    }

    /// The first `:id`, and the path with all of them as `{id}`.
    var colon: (found: String, corrected: String)? {
        let found = segments.compactMap(Self.variable)
        guard let first = found.first else { return nil }
        let corrected = segments.map { Self.variable($0).map { "{\($0)}" } ?? String($0) }
        return (":" + first, corrected.joined(separator: "/"))
    }

    /// The variable in a segment that begins with a colon and a letter: `:id` or `:id?`.
    private static func variable(_ segment: Substring) -> String? {
        guard segment.first == ":", segment.dropFirst().first?.isLetter == true else { return nil }
        return String(segment.dropFirst().prefix { $0.isLetter || $0.isNumber || $0 == "_" })
    }

    /// The first `*`, or `**` if it is not a wildcard, and the path with all of them as a template has them.
    var star: (found: String, corrected: String)? {
        var found: String?
        var variables = 0
        var corrected: [String] = []
        for (index, segment) in segments.enumerated() {
            guard segment.contains("*") else {
                corrected.append(String(segment))
                continue
            }
            let isLast = index == segments.count - 1
            corrected.append(mend(segment, isLast: isLast, &found, &variables))
        }
        // `*` alone is the target of `OPTIONS *`.
        guard let found, segments.count > 1 else { return nil }
        return (found, corrected.joined(separator: "/"))
    }

    private func mend(
        _ segment: Substring, isLast: Bool, _ found: inout String?, _ variables: inout Int
    ) -> String {
        var mended = ""
        var rest = segment
        while let first = rest.first {
            if first == "{", let end = rest.firstIndex(of: "}") {
                mended += rest[...end]
                rest = rest[rest.index(after: end)...]
            } else if rest.hasPrefix("**") {
                if !isTemplate { found = found ?? "**" }
                mended += "**"
                rest = rest.dropFirst(2)
            } else if first == "*" {
                found = found ?? "*"
                variables += 1
                mended += isLast && segment == "*" ? "**" : variables == 1 ? "{any}" : "{any\(variables)}"
                rest = rest.dropFirst()
            } else {
                mended.append(first)
                rest = rest.dropFirst()
            }
        }
        return mended
    }
}

/// Finds names that no header can have (RFC 9110, section 5.6.2).
enum HeaderNameLint {
    static func finding(_ name: String, at path: [String]) -> StubLint.Found? {
        guard !HTTPToken.isToken(name) else { return nil }
        var better = name
        while let last = better.last, last == ":" || last == " " { better.removeLast() }
        better = String(better.drop { $0 == " " || $0 == ":" }.map { $0 == " " ? "-" : $0 })
        let bad = name.first { !HTTPToken.isToken(String($0)) }
        let what =
            switch bad {
            case nil: "cannot be empty"
            case " "?: "cannot contain spaces"
            case let character?: "cannot contain \(JSONValue.string(String(character)).compactText)"
            }
        return StubLint.Found(
            code: .headerName, pointer: JSONPointer(path + [name]), message: "a header name \(what)",
            expected: "letters, digits and signs such as -", isAboutName: true,
            suggestion: HTTPToken.isToken(better) ? better : nil)
    }
}
