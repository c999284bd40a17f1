import SDBasics
package import SDJSON
package import SDStubModel

/// A mapping as a route: the key `METHOD /path` and its value.
package struct WrittenRoute: Sendable {
    package let key: String
    package let value: JSONValue

    /// Whether it is a collection of records.
    package var isCollection: Bool { key.hasPrefix(RouteKey.resourceWord + " ") }

    /// Writes a mapping; nil if the shorthand cannot express it. The route reads back as an equal mapping, except for
    /// HEAD, which a GET route also answers, and data about how the mapping was saved.
    /// - Parameter keepsID: whether to write the id; otherwise it is derived from the route's position.
    package init?(_ stub: StubMapping, keepsID: Bool = false) {
        guard stub.resource == nil, stub.timesLeft == nil,
            let (key, query) = RouteWriter.key(of: stub.request), let conditions = RouteWriter.when(stub.request, query)
        else { return nil }
        var object = JSONObject()
        if keepsID { object["id"] = .string(stub.idText) }
        RouteWriter.addBeginning(of: stub, conditions, to: &object)
        RouteWriter.addScenario(of: stub, to: &object)
        RouteWriter.addLifecycle(of: stub, to: &object)
        if let sequence = stub.responses {
            let entries = JSONValue.array(sequence.entries.map(RouteWriter.entry))
            object["sequence"] = sequence.per.map { ["per": .string($0.text), "responses": entries] } ?? entries
            object["onEnd"] = sequence.onEnd.map { .string($0.rawValue) }
            object["select"] = sequence.select.map { .string($0.rawValue) }
        } else {
            RouteWriter.add(stub.response, to: &object)
        }
        guard RouteWriter.addListeners(of: stub, to: &object) else { return nil }
        object["metadata"] = stub.metadata.map(JSONValue.object)
        object["cors"] = stub.cors?.json
        self.key = key
        value = object.isEmpty ? .null : .object(object)
        guard reads(as: [stub], keepsID: keepsID) else { return nil }
    }

    /// Writes the stubs of a collection of records, in the order of a route; nil for other stubs.
    package init?(collection stubs: ArraySlice<StubMapping>) {
        guard let first = stubs.first, let resource = first.resource,
            case (_, let query)? = RouteWriter.key(of: first.request),
            let conditions = RouteWriter.when(first.request, query)
        else { return nil }
        var object = JSONObject()
        object["data"] = resource.data?.json
        object["key"] = resource.givenKey.map(JSONValue.string)
        object["schema"] = resource.schema?.json
        object["collection"] = resource.name == resource.nameInPath ? nil : .string(resource.name)
        object["cascade"] = resource.cascade.map(JSONValue.bool)
        object["write"] = resource.write.map(JSONValue.bool)
        RouteWriter.addBeginning(of: first, conditions, to: &object)
        RouteWriter.addScenario(of: first, to: &object)
        RouteWriter.addLifecycle(of: first, to: &object)
        RouteWriter.add(first.response, to: &object)
        guard RouteWriter.addListeners(of: first, to: &object) else { return nil }
        object["metadata"] = first.metadata.map(JSONValue.object)
        object["cors"] = first.cors?.json
        key = "\(RouteKey.resourceWord) \(resource.path)"
        value = object.isEmpty ? .null : .object(object)
        guard reads(as: Array(stubs), keepsID: false) else { return nil }
    }

    /// Whether the route reads back as these mappings, so that nothing unknown to the writer is lost.
    private func reads(as stubs: [StubMapping], keepsID: Bool) -> Bool {
        let document = StubDocument(json: .object([key: value]))
        guard document.problems.isEmpty, document.stubs.count == stubs.count else { return false }
        return zip(document.stubs.reversed(), stubs).allSatisfy { read, stub in
            read.essence == stub.essence && (!keepsID || read.id == stub.id)
        }
    }
}

extension StubMapping {
    /// The mapping without data that a route cannot express or adds by itself: mappings with equal essences answer
    /// alike.
    package var essence: StubMapping {
        var stub = self
        stub.id = Self.noID
        stub.answersHead = false
        stub.persistent = nil
        stub.insertionIndex = nil
        stub.response.forgetPlainText()
        for index in stub.request.multipartPatterns.indices
        where stub.request.multipartPatterns[index].matchingType == nil {
            stub.request.multipartPatterns[index].matchingType = .any
        }
        if var sequence = stub.responses {
            for index in sequence.entries.indices { sequence.entries[index].response.forgetPlainText() }
            stub.responses = sequence
        }
        return stub
    }
}

extension ResponseDefinition {
    /// Removes `template: false` where the response has no expressions.
    fileprivate mutating func forgetPlainText() {
        if template == false, transformers.isEmpty { template = nil }
    }
}

/// Writes the parts of a route.
enum RouteWriter {
    // MARK: Key

    /// The key, and the query parameters that it cannot express.
    static func key(of request: RequestPattern) -> (key: String, query: [NamedMatcher])? {
        let method: String
        switch request.method {
        case .any, .noneOf: method = "ANY"
        case .exactly(let name): method = name
        case .oneOf(let names): method = names.joined(separator: "|")
        }
        let path: String
        switch request.url {
        case .urlPath(let text), .urlPathTemplate(let text): path = text
        case .urlPathPattern(let pattern): return ("\(method) ~\(pattern)", request.queryParameters)
        case .url(let text): return ("\(method) =\(text)", request.queryParameters)
        case .urlPattern(let pattern): return ("\(method) =~\(pattern)", request.queryParameters)
        case .any: return nil
        }
        let parts = request.queryParameters.map(keyPart)
        // Document order is kept: conditions in the key come first.
        let count = parts.prefix { $0 != nil }.count
        let query = parts.prefix(count).compactMap(\.self).joined(separator: "&")
        return (
            "\(method) \(path)" + (query.isEmpty ? "" : "?" + query), Array(request.queryParameters.dropFirst(count))
        )
    }

    /// A parameter as part of the key; nil if the key cannot express its matcher.
    private static func keyPart(_ parameter: NamedMatcher) -> String? {
        guard !parameter.name.isEmpty else { return nil }
        let name = escaped(parameter.name)
        let matcher = parameter.matcher
        guard matcher.json.count == 1 else { return nil }
        switch matcher.operator {
        case .equalTo: return matcher.operand.stringValue.map { "\(name)=\(escaped($0))" }
        case .matches where matcher.operand == ".*": return "\(name)={any}"
        case .includes:
            let values = (matcher.operand.arrayValue ?? []).map { element -> String? in
                guard element.objectValue?.count == 1 else { return nil }
                return element["equalTo"]?.stringValue
            }
            guard values.count > 1, !values.contains(nil) else { return nil }
            return values.compactMap(\.self).map { "\(name)=\(escaped($0))" }.joined(separator: "&")
        default: return nil
        }
    }

    /// A text as in a query, readable where possible.
    private static func escaped(_ text: String) -> String {
        URLEscaping.escaping(text) { byte in
            !(0x21...0x7E).contains(byte) || "%+&=#{}\"'\\".utf8.contains(byte)
        }
    }

    // MARK: Conditions

    static func when(_ request: RequestPattern, _ query: [NamedMatcher]) -> JSONObject? {
        var when = JSONObject()
        if case .noneOf(let names) = request.method {
            when["method"] = ["noneOf": .array(names.map(JSONValue.string))]
        }
        when["scheme"] = request.scheme.map(JSONValue.string)
        when["host"] = request.host.map(matcher)
        when["port"] = request.port.map { .number(JSONNumber($0)) }
        when["clientIp"] = request.clientIp.map(matcher)
        when["headers"] = named(request.headers)
        when["query"] = named(query)
        when["form"] = named(request.formParameters)
        when["path"] = named(request.pathParameters)
        when["cookies"] = named(request.cookies)
        if let credentials = request.basicAuth {
            when["basicAuth"] = [
                "username": .string(credentials.username), "password": .string(credentials.password),
            ]
        }
        when["clientCertificate"] = named(request.clientCertificate)
        when["custom"] = request.customMatcher?.json
        addBody(request.bodyPatterns, to: &when)
        let parts = request.multipartPatterns.map(part)
        when["multipart"] = parts.count > 1 ? .array(parts) : parts.first
        return when
    }

    private static func addBody(_ patterns: [ValueMatcher], to when: inout JSONObject) {
        guard let first = patterns.first else { return }
        guard patterns.count == 1 else {
            when["body"] = .array(patterns.map(matcher))
            return
        }
        if first.json.count == 1 {
            let key: String? =
                switch (first.operator, first.operand) {
                case (.equalToJson, .object), (.equalToJson, .array), (.equalToJson, .number), (.equalToJson, .bool):
                    "json"
                case (.equalToXml, .string): "xml"
                case (.matchesJsonPath, .string): "jsonPath"
                case (.matchesXPath, .string): "xPath"
                case (.matchesJsonSchema, .object): "jsonSchema"
                case (.matchesGraphql, .object): "graphql"
                default: nil
                }
            if let key {
                when[key] = first.operand
                return
            }
        }
        when["body"] = matcher(first)
    }

    /// A part without the condition on its name and file name that the shorthand adds by itself.
    private static func part(_ pattern: MultipartPattern) -> JSONValue {
        var part = JSONObject()
        part["name"] = pattern.name.map(JSONValue.string)
        part["file"] = pattern.fileName.map(JSONValue.string)
        if pattern.matchingType == .all { part["every"] = true }
        var implied = MultipartPattern(name: pattern.name, fileName: pattern.fileName)
        implied.requireDisposition()
        let isImplied = !implied.headers.isEmpty && pattern.headers.last == implied.headers.last
        part["headers"] = named(isImplied ? pattern.headers.dropLast() : pattern.headers)
        addBody(pattern.bodyPatterns, to: &part)
        return .object(part)
    }

    private static func matcher(_ matcher: ValueMatcher) -> JSONValue {
        // A text that looks like a pattern is written in full, so that it is not mistaken for one.
        if matcher.operator == .equalTo, matcher.json.count == 1, case .string(let text) = matcher.operand,
            MeantCondition.matcher(text) == nil
        {
            return matcher.operand
        }
        return .object(matcher.json)
    }

    private static func named(_ matchers: [NamedMatcher]) -> JSONValue? {
        matchers.isEmpty ? nil : .object(JSONObject(matchers.map { ($0.name, matcher($0.matcher)) }))
    }

    // MARK: Lifecycle

    static func addBeginning(of stub: StubMapping, _ conditions: JSONObject, to object: inout JSONObject) {
        object["name"] = stub.name.map(JSONValue.string)
        object["priority"] = stub.priority.map { .number(JSONNumber($0)) }
        object["when"] = conditions.isEmpty ? nil : .object(conditions)
    }

    static func addScenario(of stub: StubMapping, to object: inout JSONObject) {
        guard let name = stub.scenarioName else { return }
        var scenario: JSONObject = ["name": .string(name)]
        scenario["from"] = stub.requiredScenarioState.map(JSONValue.string)
        scenario["to"] = stub.newScenarioState.map(JSONValue.string)
        object["scenario"] = .object(scenario)
    }

    static func addLifecycle(of stub: StubMapping, to object: inout JSONObject) {
        object["times"] = stub.times.map { .number(JSONNumber($0)) }
        object["ttl"] = stub.ttlMilliseconds.map { .string(DurationText.text(milliseconds: $0)) }
        object["enabled"] = stub.enabled.map(JSONValue.bool)
    }

    static func entry(_ entry: ResponseSequence.Entry) -> JSONValue {
        var object = JSONObject()
        add(entry.response, to: &object)
        object["weight"] = entry.weight.map { .number(JSONNumber($0)) }
        return .object(object)
    }

    // MARK: Response

    static func add(_ response: ResponseDefinition, to object: inout JSONObject) {
        if let template = response.statusTemplate {
            object["status"] = .string(template)
        } else if response.status != 200 {
            object["status"] = .number(JSONNumber(response.status))
        }
        object["statusMessage"] = response.statusMessage.map(JSONValue.string)
        object["headers"] = response.headersBeside(impliedType(of: response)).json
        addProxy(of: response, to: &object)
        addTemplate(of: response, to: &object)
        addTiming(of: response, to: &object)
        let json = response.json
        let first = ["fault", "hold", "early", "trailers", "ranges", "conditional"]
        for name in first + DialectNames.routeResponseOfResponse where name != "stream" {
            object[name] = json[name]
        }
        object["body"] = response.body.map(JSONValue.string)
        object["json"] = response.jsonBody
        object["base64"] = response.base64Body.map(JSONValue.string)
        object["file"] = response.bodyFileName.map(JSONValue.string)
        object["stream"] = json["stream"]
    }

    private static func addTemplate(of response: ResponseDefinition, to object: inout JSONObject) {
        var plain = response
        plain.template = nil
        plain.transformers = []
        let transformers = response.transformers.filter { $0 != ProxyDefinition.rewritingTransformer }
        plain.transformerParameters = nil
        let hasExpression = RouteTemplate.isTemplate(plain)
        if transformers.isEmpty {
            if hasExpression || response.template == false { object["template"] = false }
        } else if !hasExpression {
            object["template"] = true
        } else if response.bodyFileName != nil, response.transformerParameters?["disableBodyFileTemplating"] == nil {
            object["template"] = true
        }
    }

    private static func addProxy(of response: ResponseDefinition, to object: inout JSONObject) {
        guard let base = response.proxyBaseUrl else { return }
        var proxy = ProxyDefinition(to: base)
        proxy.removePrefix = response.proxyUrlPrefixToRemove
        proxy.headers = response.additionalProxyRequestHeaders
        proxy.removeHeaders = response.removeProxyRequestHeaders
        if response.transformers.contains(ProxyDefinition.rewritingTransformer) { proxy.rewriteHost = true }
        proxy.http2 = response.proxyHttp2
        object["proxy"] = proxy.json
    }

    private static func addTiming(of response: ResponseDefinition, to object: inout JSONObject) {
        if let delay = response.fixedDelayMilliseconds {
            object["delay"] = .string(DurationText.text(milliseconds: delay))
        }
        if let template = response.fixedDelayTemplate { object["delay"] = .string(template) }
        if let delays = response.delays { object["delay"] = delays.json }
        if let distribution = response.delayDistribution, object["delay"] == nil {
            object["delay"] = DelayText.short(distribution)
        }
        if let dribble = response.chunkedDribbleDelay {
            object["dribble"] = [
                "chunks": .number(JSONNumber(dribble.numberOfChunks)),
                "over": .string(DurationText.text(milliseconds: dribble.totalDuration)),
            ]
        }
    }

    /// The Content-Type that the shorthand adds to a response without one.
    private static func impliedType(of response: ResponseDefinition) -> String? {
        if response.proxyBaseUrl != nil { return nil }
        if response.jsonBody != nil { return "application/json" }
        if let name = response.bodyFileName { return MediaType.suggested(forFileNamed: name) }
        if response.body != nil { return "text/plain; charset=utf-8" }
        return response.base64Body == nil ? nil : "application/octet-stream"
    }
}

extension ResponseDefinition {
    /// The headers without a trailing Content-Type that the shorthand adds by itself; without one, an empty list
    /// suppresses it.
    fileprivate func headersBeside(_ type: String?) -> [ResponseHeader] {
        guard let type else { return headers }
        if headers.last == ResponseHeader("Content-Type", [type]) { return headers.dropLast() }
        let hasType = headers.contains { $0.name.lowercased() == "content-type" }
        return hasType || fault != nil ? headers : headers + [ResponseHeader("Content-Type", [])]
    }
}
