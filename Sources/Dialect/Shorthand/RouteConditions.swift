import SDBasics
import SDJSON
import SDStubModel

/// Reads the route shorthand's `when` into a request pattern.
struct RouteConditions {
    static let keys = DialectNames.when

    /// Names from other formats.
    private static let otherNames = DialectNames.whenAliases

    /// The condition that a name stands for; nil for none.
    static func condition(named name: String) -> String? { keys.contains(name) ? name : otherNames[name] }

    private(set) var request: RequestPattern
    private(set) var sources: [StubOrigin.Source] = []
    /// The valid conditions here.
    private let keys: [String]

    init(request: RequestPattern, keys: [String] = Self.keys) {
        self.request = request
        self.keys = keys
    }

    mutating func read(_ value: JSONValue, _ reader: inout ModelReader) {
        guard let object = reader.fields(value, "an object of conditions, such as headers and query") else { return }
        for member in object.members {
            if !Self.keys.contains(member.key), let meant = MeantCondition.key(member) {
                reader.reportName(
                    member.key, message: meant.message, expected: meant.expected, suggestion: meant.suggestion)
                continue
            }
            if !keys.contains(member.key), Self.keys.contains(member.key) {
                reader.reportName(
                    member.key, message: "the request that opens a WebSocket has no \(quoted(member.key))",
                    expected: "one of \(keys.joined(separator: ", ")); what messages say stands under \"on\"")
                continue
            }
            reader.key(member, of: keys, otherNames: Self.otherNames) { read(member, &$0) }
        }
    }

    private mutating func read(_ member: JSONObject.Member, _ reader: inout ModelReader) {
        let value = member.value
        switch member.key {
        case "method": readMethod(value, &reader)
        case "scheme": readScheme(value, &reader)
        case "host": request.host = RouteMatcher.read(value, .single, &reader)
        case "port": readPort(value, &reader)
        case "clientIp": request.clientIp = RouteMatcher.read(value, .single, &reader)
        case "headers": readHeaders(value, &reader)
        case "query": readQuery(value, &reader)
        case "form": request.formParameters = named(value, .multiValue, "formParameters", &reader)
        case "path": readPath(value, &reader)
        case "cookies": request.cookies = named(value, .single, "cookies", &reader)
        case "basicAuth":
            request.basicAuth = RouteBasicAuth.read(value, &reader).map {
                BasicAuth(username: $0.username, password: $0.password)
            }
        case "clientCertificate": readCertificate(value, &reader)
        case "multipart": readMultipart(value, &reader)
        case "jwt": readJWT(value, &reader)
        case "custom":
            request.customMatcher =
                value.stringValue.map { CustomMatcher(name: $0) } ?? CustomMatcher.read(value, &reader)
        case let key where RouteBody.keys.contains(key):
            for (matcher, source) in RouteBody.read(member, &reader) {
                let index = request.bodyPatterns.count
                sources.append(source(JSONPointer(["request", "bodyPatterns", String(index)])))
                request.bodyPatterns.append(matcher)
            }
        default: break
        }
    }

    // MARK: Target

    private mutating func readMethod(_ value: JSONValue, _ reader: inout ModelReader) {
        guard request.method == .any else {
            reader.report(
                detail: nil, message: "the method is already in the route's key",
                expected: "the method in one place; a key such as \"ANY /path\" accepts any")
            return
        }
        switch value {
        case .string(let name): request.method = name == "ANY" ? .any : .exactly(name)
        case .array: request.method = reader.strings(value).map { .oneOf($0) } ?? .any
        default: request.method = MethodPattern.read(value, &reader)
        }
        let names =
            switch request.method {
            case .any: [String]()
            case .exactly(let name): [name]
            case .oneOf(let names), .noneOf(let names): names
            }
        for name in names where name != name.uppercased() {
            reader.report(
                detail: nil, message: "methods are case-sensitive, and this one is not in upper case",
                expected: "a method in upper case", found: quoted(name), suggestion: name.uppercased())
        }
        sources.append(
            StubOrigin.Source(pointer: JSONPointer(["request", "method"]), place: reader.place, keepsRest: true))
    }

    private mutating func readScheme(_ value: JSONValue, _ reader: inout ModelReader) {
        guard let scheme = value.stringValue, scheme == "http" || scheme == "https" else {
            reader.report(
                detail: nil, message: "not a scheme", expected: "http or https", found: value.shortDescription,
                suggestion: value.stringValue.flatMap { nearestName(to: $0, among: ["http", "https"]) })
            return
        }
        request.scheme = scheme
    }

    private mutating func readPort(_ value: JSONValue, _ reader: inout ModelReader) {
        guard let port = value.intValue ?? value.stringValue.flatMap({ Int($0) }), (1...65_535).contains(port) else {
            reader.report(
                detail: nil, message: "not a port", expected: "an integer from 1 to 65535",
                found: value.shortDescription)
            return
        }
        request.port = port
    }

    // MARK: Names and values

    /// Reads names with a string, a matcher or, for `.multiValue`, a list of these.
    private mutating func named(
        _ value: JSONValue, _ position: ValueMatcher.Position, _ field: String, _ reader: inout ModelReader
    ) -> [NamedMatcher] {
        guard let object = reader.fields(value, "an object of names and values or matchers") else { return [] }
        var matchers: [NamedMatcher] = []
        for member in object.members {
            reader.within(member.key) { reader in
                guard let matcher = RouteMatcher.read(member.value, position, &reader) else { return }
                matchers.append(NamedMatcher(member.key, matcher))
                if case .array = member.value {
                    let pointer = JSONPointer(["request", field, member.key, "includes"])
                    sources.append(StubOrigin.Source(pointer: pointer, place: reader.place, keepsRest: true))
                }
            }
        }
        return matchers
    }

    /// Reads query conditions. Those in the key must hold as well.
    private mutating func readQuery(_ value: JSONValue, _ reader: inout ModelReader) {
        for condition in named(value, .multiValue, "queryParameters", &reader) {
            let name = condition.name
            guard let index = request.queryParameters.firstIndex(where: { $0.name.hasSameCodePoints(as: name) }) else {
                request.queryParameters.append(condition)
                continue
            }
            reader.within(name) { reader in
                let both = RouteQuery.both(request.queryParameters[index].matcher, condition.matcher, &reader)
                guard let both else { return }
                request.queryParameters[index].matcher = both.matcher
                let field = ["request", "queryParameters", name]
                sources.append(
                    StubOrigin.Source(pointer: JSONPointer(field + both.path), place: reader.place, keepsRest: true))
            }
        }
    }

    /// Reads header conditions. `jwt` may already have added a matcher for `Authorization`.
    private mutating func readHeaders(_ value: JSONValue, _ reader: inout ModelReader) {
        let matchers = named(value, .multiValue, "headers", &reader)
        let token = request.headers
        request.headers = matchers
        for header in token { addToken(header.matcher, &reader) }
    }

    private mutating func readPath(_ value: JSONValue, _ reader: inout ModelReader) {
        request.pathParameters = named(value, .single, "pathParameters", &reader).map { condition in
            reader.within(condition.name) { reader in
                NamedMatcher(condition.name, Self.onTheWire(condition.matcher, &reader))
            }
        }
        guard case .urlPathTemplate(let template) = request.url else {
            reader.report(
                detail: nil, message: "the route's key has no variables", expected: "a key such as \"GET /users/{id}\"")
            return
        }
        let variables = URLPattern.variables(of: template)
        for name in request.pathParameters.map(\.name) where !variables.contains(name) {
            reader.reportName(
                name, message: "the route's key has no variable {\(name)}",
                expected: "one of \(variables.joined(separator: ", "))",
                suggestion: nearestName(to: name, among: variables))
        }
    }

    private static func onTheWire(_ matcher: ValueMatcher, _ reader: inout ModelReader) -> ValueMatcher {
        do throws(RouteKey.Failure) {
            return try matcher.spelledAsPath()
        } catch {
            reader.report(detail: nil, message: error.message, expected: error.expected, found: error.found)
            return matcher
        }
    }

    // MARK: Client

    private mutating func readCertificate(_ value: JSONValue, _ reader: inout ModelReader) {
        var found: [StubOrigin.Source] = []
        request.clientCertificate = RequestPattern.readCertificate(value, &reader) { value, position, reader in
            let matcher = RouteMatcher.read(value, position, &reader)
            if case .array = value {
                let pointer = JSONPointer(["request", "clientCertificate", reader.place.tokens.last ?? "", "includes"])
                found.append(StubOrigin.Source(pointer: pointer, place: reader.place, keepsRest: true))
            }
            return matcher
        }
        sources += found
    }

    private mutating func readJWT(_ value: JSONValue, _ reader: inout ModelReader) {
        guard JWTOperand.check(value, &reader) else { return }
        addToken(ValueMatcher(.matchesJwt, operand: value), &reader)
        let operatorPath = ["request", "headers", "Authorization", "matchesJwt"]
        sources.append(StubOrigin.Source(pointer: JSONPointer(operatorPath), place: reader.place, keepsRest: true))
    }

    private mutating func addToken(_ matcher: ValueMatcher, _ reader: inout ModelReader) {
        guard let index = request.headers.firstIndex(where: { $0.name.lowercased() == "authorization" }) else {
            request.headers.append(NamedMatcher("Authorization", matcher))
            return
        }
        let other = request.headers[index].matcher
        guard ValueMatcher.Position.single.allows(other.operator) else {
            reader.report(
                detail: nil, message: "this cannot be combined with \"\(other.operator.rawValue)\" of Authorization",
                expected: "one of the two")
            return
        }
        request.headers[index].matcher = ValueMatcher(.and, operand: [other.jsonValue, matcher.jsonValue])
    }

    // MARK: Parts

    private mutating func readMultipart(_ value: JSONValue, _ reader: inout ModelReader) {
        let field = ["request", "multipartPatterns"]
        func add(_ part: JSONValue, _ conditions: inout RouteConditions, _ reader: inout ModelReader) {
            guard let pattern = RoutePart.read(part, &reader) else { return }
            let pointer = JSONPointer(field + [String(conditions.request.multipartPatterns.count)])
            conditions.sources.append(
                StubOrigin.Source(pointer: pointer, place: reader.place, keepsRest: false))
            conditions.request.multipartPatterns.append(pattern)
        }
        guard case .array(let elements) = value else {
            add(value, &self, &reader)
            return
        }
        for (index, element) in elements.enumerated() {
            reader.within(String(index)) { add(element, &self, &$0) }
        }
    }
}

/// A matcher in the shorthand: a string that must be equal, or a WireMock matcher.
enum RouteMatcher {
    static func read(
        _ value: JSONValue, _ position: ValueMatcher.Position, _ reader: inout ModelReader
    ) -> ValueMatcher? {
        switch value {
        case .string, .number, .bool:
            if position == .single || position == .multiValue,
                let meant = value.stringValue.flatMap(MeantCondition.matcher),
                // If-Match: *
                reader.place.tokens.last?.lowercased().hasPrefix("if-") != true
            {
                reader.warn(
                    "the value must be equal to this text, sign by sign",
                    expected: "a text, or a matcher such as {matches: \"[0-9]+\"} or {absent: false}", suggestion: meant
                )
            }
            return reader.text(value).map { ValueMatcher(.equalTo, $0) }
        case .array(let elements) where position == .multiValue && !elements.isEmpty:
            let matchers = reader.elements(elements) { read($0, .single, &$1)?.jsonValue }
            if reader.place.tokens.dropLast().last == "headers", MeantCondition.meansOne(of: elements) {
                reader.warn(
                    "the header must have all of these values, each in a line of its own",
                    expected: "a text, or {includes: [{equalTo: TEXT}, …]} if that is meant",
                    suggestion: JSONValue.object(["or": .array(matchers)]).inRoutes)
            }
            return ValueMatcher(.includes, operand: .array(matchers))
        case .null, .array:
            reader.wantsText(value)
            let isMultiple = position == .multiValue
            reader.report(
                detail: nil, message: value.isNull ? "no value" : "wrong type",
                expected: "a text, or a matcher such as {absent: true}" + (isMultiple ? ", or a list of those" : ""),
                found: value.shortDescription)
            return nil
        case .object: return ValueMatcher.read(value, position, &reader)
        }
    }
}
