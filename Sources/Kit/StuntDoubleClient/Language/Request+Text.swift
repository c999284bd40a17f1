import SDShorthand
import SDStubModel

/// Parsing of textual patterns; they share `RouteKey` with the keys of routes.
extension Stub.Request {
    /// Parses a path, a path with a query, or a URL with its host.
    ///
    /// An invalid text becomes a pattern that matches nothing; `checked()` reports why.
    /// - Parameter method: one or several methods, or `ANY`; nil if the text may name the method.
    init(text: String, method: String?) {
        do throws(Stub.Problem) {
            self = try Self.read(text, method: method)
        } catch {
            self.init(SDStubModel.RequestPattern(url: .url(Self.key(text, method))))
        }
    }

    /// Returns the pattern if it can match anything.
    /// - Throws: the problem of the text, or of a value in the pattern.
    package func checked() throws(Stub.Problem) -> Stub.Request {
        // Every request's URL begins with a slash.
        if case .url(let text) = model.url, !text.hasPrefix("/") { _ = try Self.read(text, method: nil) }
        try checkNames()
        if let failure = json.encodingFailure { throw failure }
        return self
    }

    /// The text prefixed with its method, so that it does not begin with a slash.
    private static func key(_ text: String, _ method: String?) -> String {
        guard let method = method ?? (text.hasPrefix("/") ? "ANY" : nil) else { return text }
        // An empty method is quoted so that the key stays parseable.
        return "\(method.trimmingBlanks.isEmpty ? quoted(method) : method) \(text)"
    }

    /// - Throws: `Stub.Problem` for a name that no request can have.
    private func checkNames() throws(Stub.Problem) {
        let methods: [String]
        switch model.method {
        case .any: methods = []
        case .exactly(let name): methods = [name]
        case .oneOf(let names), .noneOf(let names): methods = names
        }
        for name in methods where !HTTPToken.isToken(name) {
            let upper = name.trimmingBlanks.uppercased()
            let meant = HTTPToken.isToken(upper) ? "; did you mean \(quoted(upper))?" : ""
            throw Stub.Problem("\(quoted(name)) is no method; expected one such as GET, or .any" + meant)
        }
        for header in model.headers + model.multipartPatterns.flatMap(\.headers) {
            try ResponseDefinition.check(headerName: header.name)
        }
        if let port = model.port, !(1...65_535).contains(port) {
            throw Stub.Problem(".port(\(port)): expected a number from 1 to 65535")
        }
        if let scheme = model.scheme, !["http", "https"].contains(scheme) {
            throw Stub.Problem(".scheme(\(quoted(scheme))): expected \"http\" or \"https\"")
        }
    }

    private static func read(_ text: String, method: String?) throws(Stub.Problem) -> Stub.Request {
        var (method, target) = (method ?? "ANY", text)
        let words = text.split(separator: " ", maxSplits: 1)
        if words.count == 2, let first = words.first, !first.contains("/") {
            (method, target) = (String(first), String(words[1]))
        }
        let written = "\(method) \(target)"
        let origin = Origin(of: &target)
        let key: RouteKey
        do throws(RouteKey.Failure) {
            key = try RouteKey("\(method) \(target)")
        } catch {
            var problem = "\(error.message): \(written)"
            if let expected = error.expected { problem += "; expected \(expected)" }
            if let suggestion = error.suggestion { problem += "; did you mean \"\(suggestion)\"?" }
            throw Stub.Problem(problem)
        }
        guard !key.isResource else {
            throw Stub.Problem("\(method) stands for several stubs; make them with Stub.records(…)")
        }
        var pattern = SDStubModel.RequestPattern(method: key.method, url: key.url)
        pattern.queryParameters = key.query
        pattern.scheme = origin?.scheme
        pattern.host = origin.map { SDStubModel.ValueMatcher($0.host.contains("*") ? .glob : .equalTo, $0.host) }
        pattern.port = origin?.port
        return Stub.Request(pattern)
    }

    /// The scheme, host and explicit port of an absolute URL.
    private struct Origin {
        var scheme: String
        var host: String
        var port: Int?

        /// Removes scheme and authority from a URL. Nil if it has none.
        init?(of text: inout String) {
            guard let scheme = text.firstRange(of: "://"), ["http", "https"].contains(text[..<scheme.lowerBound]) else {
                return nil
            }
            self.scheme = String(text[..<scheme.lowerBound])
            let rest = text[scheme.upperBound...]
            let end = rest.firstIndex { "/?".contains($0) } ?? rest.endIndex
            let authority = rest[..<end]
            let path = String(rest[end...])
            text = path.hasPrefix("/") ? path : "/" + path
            // The colons of an IPv6 address are in brackets.
            let colon = authority.lastIndex(of: ":").flatMap { authority[$0...].contains("]") ? nil : $0 }
            port = colon.flatMap { Int(authority[authority.index(after: $0)...]) }
            host = authority[..<(port == nil ? authority.endIndex : colon ?? authority.endIndex)].lowercased()
        }
    }
}
