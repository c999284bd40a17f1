import SDBasics
import SDJSON
package import SDStubModel

/// A parsed route key: `GET /users/{id}?page={any}`.
package struct RouteKey {
    package var method: MethodPattern
    package var url: URLPattern
    package var query: [NamedMatcher]

    package struct Failure: Error {
        package var message: String
        package var expected: String?
        package var found: String?
        package var suggestion: String?
    }

    package static let expected = "METHOD /path, such as \"GET /users/{id}\""

    /// Keys of a routes file that are not routes.
    package static let defaultsKey = "defaults"
    package static let faultsKey = "chaos"
    package static let corsKey = "cors"
    package static let contractsKey = "openapi"

    /// Parses a key.
    /// - Throws: the error, with a suggestion for an obvious mistake.
    package init(_ key: String, basePath: String = "") throws(Failure) {
        do throws(Failure) {
            try self.init(reading: key, basePath: basePath)
        } catch {
            var failure = error
            failure.suggestion = failure.suggestion ?? RouteKeySpelling.corrected(key)
            throw failure
        }
    }

    /// Parses a key, without suggestions.
    /// - Throws: the error.
    init(reading key: String, basePath: String = "") throws(Failure) {
        guard let blank = key.utf8.firstIndex(where: Self.isBlank) else { throw Self.failure(ofOneWord: key) }
        method = try Self.method(key[..<blank])
        let target = String(key[blank...]).trimmingBlanks
        let isExpression = target.hasPrefix("~") || target.hasPrefix("=~")
        guard isExpression || !target.utf8.contains(where: { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F }) else {
            throw Failure(
                message: "no request has a line feed or another control character in its path",
                expected: "one line; %0A for a line feed that is sent", found: quoted(target),
                suggestion: Self.inOneLine(key))
        }
        let isResource = method == .exactly(Self.resourceWord)
        if isResource, target.hasPrefix("~") || target.hasPrefix("=") || target.contains(text: "**") {
            throw Failure(
                message: "a collection has one path", expected: "\(Self.resourceWord) /path", found: quoted(target))
        }
        if target.hasPrefix("~") {
            let pattern = String(target.dropFirst()).trimmingBlanks
            guard !pattern.isEmpty else {
                throw Failure(message: "an empty regular expression", expected: "METHOD ~regex of the path")
            }
            url = .urlPathPattern(RoutePath.expression(pattern, below: basePath))
            query = []
            return
        }
        if target.hasPrefix("=") {
            url = try Self.wholeURL(String(target.dropFirst()), below: basePath)
            query = []
            return
        }
        guard target.hasPrefix("/") else {
            throw Failure(message: "a path must start with /", expected: Self.expected, found: quoted(target))
        }
        guard !target.contains("#") else {
            throw Failure(
                message: "a request never has a #fragment", expected: "a path without #", found: quoted(target))
        }
        let question = Self.queryStart(target)
        if isResource, question != nil {
            throw Failure(
                message: "the routes of a collection have queries of their own", expected: "a path without ?",
                found: quoted(target))
        }
        url = try RoutePath.pattern(basePath + target[..<(question ?? target.endIndex)])
        query =
            try question.map { (start) throws(Failure) in
                try Self.query(target[target.index(after: start)...])
            } ?? []
    }

    /// The pattern for path and query together, after the `=` of a key: a text, or a regular expression.
    private static func wholeURL(_ target: String, below basePath: String) throws(Failure) -> URLPattern {
        if target.hasPrefix("~") {
            let pattern = String(target.dropFirst()).trimmingBlanks
            guard !pattern.isEmpty else {
                throw Failure(message: "an empty regular expression", expected: "METHOD =~regex of the path and query")
            }
            return .urlPattern(RoutePath.expression(pattern, below: basePath))
        }
        guard target.hasPrefix("/"), !target.contains("#") else {
            throw Failure(
                message: "not a path with its query", expected: "METHOD =/path?query, exactly as it is sent",
                found: quoted(target))
        }
        return .url(try RoutePath.onTheWire(basePath + target))
    }

    /// Joins a key whose lines are parts of one path; nil if it has other control characters.
    private static func inOneLine(_ key: String) -> String? {
        let lines = key.split { $0.isNewline }.map { String($0).trimmingBlanks }
        guard lines.count > 1 else { return nil }
        let text = lines.joined()
        return text.utf8.contains { $0 < 0x20 || $0 == 0x7F } ? nil : text
    }

    package static func isBlank(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
    }

    private static func failure(ofOneWord key: String) -> Failure {
        let isPath = key.hasPrefix("/") || key.hasPrefix("~/")
        if isPath { return Failure(message: "a route without a method", expected: expected) }
        if RouteKeySpelling.isMethod(key) { return Failure(message: "a route without a path", expected: expected) }
        if RouteKeySpelling.isLikely(key) {
            return Failure(message: "missing space after the method of a route", expected: expected)
        }
        return Failure(
            message: "unknown key \(quoted(key))",
            expected: expected + ", \(quoted(defaultsKey)) or \(quoted(faultsKey))",
            suggestion: meantName(by: key, among: [defaultsKey, faultsKey, corsKey, contractsKey]))
    }

    // MARK: Method

    /// The keyword in place of a method for a collection of records.
    static let resourceWord = "CRUD"

    package var isResource: Bool { method == .exactly(Self.resourceWord) }

    /// The keyword in place of a method for WebSockets.
    static let webSocketWord = "WS"

    package var isWebSocket: Bool { method == .exactly(Self.webSocketWord) }

    /// The key for requests that ask for an upgrade to WebSocket.
    var ofUpgrade: RouteKey {
        var key = self
        key.method = .exactly("GET")
        return key
    }

    /// Words that are not HTTP methods, and so would match no request.
    private static let otherProtocols: [String: (message: String, expected: String)] = {
        let webSocket = (message: "no request has such a method", expected: "WS for a WebSocket, with TLS or without")
        return [
            "WSS": webSocket, "WEBSOCKET": webSocket, "WEBSOCKETS": webSocket, "SOCKET": webSocket,
            "SSE": (
                message: "no request has such a method: server-sent events are a response to GET",
                expected: "GET, and \"stream\" with the events in the route"
            ),
            "GRPC": (
                message: "gRPC is not served, and no request has such a method",
                expected: "a method of HTTP, such as POST"
            ),
            "GRAPHQL": (
                message: "no request has such a method: GraphQL is sent with POST",
                expected: "POST, and \"graphql\" with the query under \"when\""
            ),
        ]
    }()

    private static func method(_ text: Substring) throws(Failure) -> MethodPattern {
        var names: [String] = []
        for part in text.split(separator: "|", omittingEmptySubsequences: false) {
            let name = String(part)
            guard HTTPToken.isToken(name) else {
                throw Failure(
                    message: "not a method", expected: "a method such as GET, several as GET|HEAD, or ANY",
                    found: quoted(String(text)))
            }
            guard name == name.uppercased() else {
                throw Failure(
                    message: "methods are case-sensitive, and this one is not in upper case",
                    expected: "a method in upper case", found: quoted(name))
            }
            guard !RouteKeySpelling.namesForAny.contains(name), !RouteKeySpelling.isList(name) else {
                throw Failure(
                    message: "no client sends the method \(name)",
                    expected: "a method such as GET, several as GET|HEAD, or ANY", found: quoted(String(text)))
            }
            names.append(name)
        }
        if let other = names.first(where: { otherProtocols[$0] != nil }), let failure = otherProtocols[other] {
            throw Failure(message: failure.message, expected: failure.expected, found: quoted(String(text)))
        }
        if names.count > 1, names.contains(webSocketWord) {
            throw Failure(
                message: "\(webSocketWord) is no method: it stands for a WebSocket",
                expected: "\(webSocketWord) alone, and another route for the methods", found: quoted(String(text)))
        }
        if names.count > 1, names.contains(resourceWord) {
            throw Failure(
                message: "\(resourceWord) stands for all methods of a collection", expected: "\(resourceWord) alone",
                found: quoted(String(text)), suggestion: nil)
        }
        if names.contains("ANY") { return .any }
        return names.count == 1 ? .exactly(names[0]) : .oneOf(names)
    }

    // MARK: Path

    /// The index of the `?` that ends the path, ignoring those inside a variable's braces.
    private static func queryStart(_ target: String) -> String.Index? {
        var isInVariable = false
        for index in target.indices {
            switch target[index] {
            case "{": isInVariable = true
            case "}": isInVariable = false
            case "?" where !isInVariable: return index
            default: break
            }
        }
        return nil
    }

    // MARK: Query

    private static func query(_ text: Substring) throws(Failure) -> [NamedMatcher] {
        var names: [String] = []
        var matchers: [String: [JSONValue]] = [:]
        for part in text.split(separator: "&") {
            let equals = part.firstIndex(of: "=")
            let name = try decoded(part[..<(equals ?? part.endIndex)])
            guard !name.isEmpty else {
                throw Failure(
                    message: "a query parameter without a name", expected: "?name=value", found: quoted(String(part)))
            }
            let value = equals.map { part[part.index(after: $0)...] }
            let matcher: JSONValue
            if let value, !(value.hasPrefix("{") && value.hasSuffix("}")) {
                guard !value.contains(where: { "{}".contains($0) }) else {
                    throw Failure(
                        message: "a variable in the query must be the whole value",
                        expected: "name={any}, or a matcher under \"when\"", found: quoted(String(part)))
                }
                matcher = ["equalTo": .string(try decoded(value))]
            } else {
                // Requires the parameter, with any value.
                matcher = ["matches": ".*"]
            }
            if matchers[name] == nil { names.append(name) }
            matchers[name, default: []].append(matcher)
        }
        return names.map { name in
            let all = matchers[name] ?? []
            if all.count == 1, let object = all[0].objectValue, let key = object.keys.first,
                let single = ValueMatcher.Operator(rawValue: key)
            {
                return NamedMatcher(name, ValueMatcher(single, json: object))
            }
            return NamedMatcher(name, ValueMatcher(.includes, json: ["includes": .array(all)]))
        }
    }

    /// The text with `+` as a space and `%XX` as a UTF-8 byte, as in the query of a request.
    /// - Throws: an error for an invalid escape.
    private static func decoded(_ text: Substring) throws(Failure) -> String {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "+"): bytes.append(UInt8(ascii: " "))
            case UInt8(ascii: "%"):
                guard let value = RoutePath.escapedByte(rest) else {
                    throw Failure(
                        message: "invalid % escape in the query", expected: "% and two hexadecimal digits",
                        found: quoted(String(text)))
                }
                bytes.append(value)
                rest = rest.dropFirst(2)
            default: bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
