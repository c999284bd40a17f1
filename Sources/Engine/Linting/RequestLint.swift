import SDBasics
import SDJSON
import SDMatching
import SDStubModel

/// Findings about the URL, the method and the names of a request pattern; most are habits from other formats.
public struct RequestLint {
    private let request: RequestPattern
    /// The path of the pattern in its document.
    private let base: [String]
    private var findings: [LintFinding] = []

    static func findings(in request: RequestPattern, at base: [String]) -> [LintFinding] {
        var lint = RequestLint(request, base)
        lint.lookAtPath()
        lint.lookAtMethod()
        lint.lookAtOrigin()
        lint.lookAtReservedPaths()
        lint.lookAtPathParameters()
        for header in request.headers {
            lint.findings += HeaderNameLint.finding(header.name, at: base + ["headers"]).map { [$0] } ?? []
        }
        return lint.findings
    }

    private init(_ request: RequestPattern, _ base: [String]) {
        self.request = request
        self.base = base
    }

    private mutating func add(
        _ code: StubFinding.Code, at path: [String], _ message: String, expected: String? = nil,
        isAboutName: Bool = false, suggestion: String? = nil
    ) {
        findings.append(
            LintFinding(
                code: code, pointer: JSONPointer(base + path), message: message, expected: expected,
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
        let path = ForeignPathSyntax(text[..<query], isTemplate: isTemplate)
        let elsewhere = isTemplate ? "" : "; in WireMock's form under \"urlPathTemplate\""
        if let found = path.expression {
            add(
                .expressionInPath, at: [field], "\(found) is literal in a path, and no expression",
                expected: "the expression under \"urlPathPattern\", or in a route after a ~: GET ~/users/[0-9]+")
            return
        }
        if let (found, corrected) = path.variable {
            add(
                .variableInPath, at: [field], "\(found) is literal in a path",
                expected: "{name} for a variable" + elsewhere, suggestion: corrected)
        }
        if let (found, corrected) = path.restrictedVariable {
            add(
                .expressionInVariable, at: [field],
                "all of \(found) is the variable's name, so that any segment matches",
                expected:
                    "{name}, and a matcher of it under \"pathParameters\", in a route under \"when\" and \"path\"",
                suggestion: corrected)
        }
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
        // Computing the scope compiles the expression.
        guard request.url.text?.contains(text: "/__") == true else { return }
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

    // MARK: - Scheme, host and port

    private mutating func lookAtOrigin() {
        if let scheme = request.scheme, scheme != "http", scheme != "https" {
            add(
                .impossibleOrigin, at: ["scheme"], "no request has the scheme \(scheme), so this never matches",
                expected: "http or https", suggestion: nearestName(to: scheme, among: ["http", "https"]))
        }
        if let port = request.port, !(1...65_535).contains(port) {
            add(
                .impossibleOrigin, at: ["port"], "no request has the port \(port), so this never matches",
                expected: "a number from 1 to 65535")
        }
        if let host = request.host, host.operator == .equalTo, let text = host.operand.stringValue,
            let colon = text.firstIndex(of: ":"), text[colon...].dropFirst().allSatisfy(\.isNumber)
        {
            add(
                .impossibleOrigin, at: ["host"], "the host has no port, so this never matches",
                expected: "the port under \"port\"", suggestion: String(text[..<colon]))
        }
    }

    // MARK: - Path parameters

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

    /// The upper-case spelling of a known method; nil for any other text.
    public static func upperCase(ofMethod name: String) -> String? {
        let upper = name.uppercased()
        return !methods.contains(name) && methods.contains(upper) ? upper : nil
    }

    /// The methods of IANA's registry that are in use, and some others.
    private static let methods: Set<String> = [
        "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT", "ANY", "GET_OR_HEAD", "QUERY",
        "PURGE", "PROPFIND", "PROPPATCH", "MKCOL", "COPY", "MOVE", "LOCK", "UNLOCK", "REPORT", "SEARCH", "ACL", "BIND",
        "UNBIND", "REBIND", "LINK", "UNLINK", "MERGE", "CHECKIN", "CHECKOUT", "UPDATE", "LABEL", "SUBSCRIBE",
        "UNSUBSCRIBE", "NOTIFY", "M-SEARCH", "MKCALENDAR", "LIST", "PUSH", "SET",
    ]
    /// The methods that may be suggested for a misspelling.
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
        if let upper = Self.upperCase(ofMethod: name) {
            add(
                .methodCase, at: path, "methods are case-sensitive, so this is not \(upper)",
                expected: "a method in upper case", suggestion: upper)
        } else if let nearest = nearestName(to: name.uppercased(), among: Self.usual) {
            add(
                .unknownMethod, at: path, "\(name) is not a known method",
                expected: "a method that clients send", suggestion: nearest)
        }
    }
}

extension URLPattern {
    /// The URL as written; nil for any URL.
    fileprivate var text: String? {
        switch self {
        case .any: nil
        case .url(let text), .urlPattern(let text), .urlPath(let text), .urlPathPattern(let text),
            .urlPathTemplate(let text):
            text
        }
    }

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
