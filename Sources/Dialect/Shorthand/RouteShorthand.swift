import SDJSON
import SDStubModel

/// The route shorthand: an object whose keys are `METHOD /path` and whose values are one response or a list of them. It
/// is translated to stub mappings; `docs/routes.md` describes every key.
enum RouteShorthand {
    static let responseKeys = DialectNames.routeResponse

    /// The keys of a response in a sequence.
    static let entryKeys = DialectNames.routeEntry.filter { $0 != "weight" }

    static let bodyKeys = ["body", "json", "base64", "file", "stream", "openapi"]

    /// Names from other formats.
    static let otherNames = DialectNames.routeResponseAliases

    static func isShorthand(_ object: JSONObject) -> Bool {
        RouteFaults.isIn(object) || RouteCORS.isAlone(object) || RouteContracts.isIn(object)
            || object.members.contains {
                !isSharedValue($0.key) && ($0.key == RouteDefaults.key || RouteKeySpelling.isLikely($0.key))
            }
    }

    private static func isSets(_ member: JSONObject.Member) -> Bool {
        member.key == RouteFaults.key && member.value.objectValue != nil
    }

    /// Whether a top-level key only holds values for YAML aliases.
    static func isSharedValue(_ key: String) -> Bool {
        guard let first = key.utf8.first else { return false }
        return first == UInt8(ascii: ".") || first == UInt8(ascii: "x") && key.hasPrefix("x-")
    }

    /// The stubs of all routes in document order; the first one that matches should answer.
    static func read(_ object: JSONObject, _ reader: inout ModelReader) -> RouteStubs {
        var stubs: [LocatedStub] = []
        var messages: [LocatedMessage] = []
        let defaults = object[RouteDefaults.key].map { value in
            reader.within(RouteDefaults.key) { RouteDefaults(value, &$0) }
        }
        let routes = object.members.filter {
            $0.key != "$schema" && $0.key != RouteDefaults.key && $0.key != RouteCORS.key && !isSharedValue($0.key)
                && !isSets($0) && ($0.key != RouteContracts.key || !RouteContracts.isIn(object))
        }
        if routes.isEmpty, !RouteFaults.isIn(object), !RouteCORS.isAlone(object), !RouteContracts.isIn(object) {
            reader.report(detail: nil, message: "there are no routes beside \"defaults\"", expected: RouteKey.expected)
        }
        for member in routes {
            let key: RouteKey
            do throws(RouteKey.Failure) {
                key = try RouteKey(member.key, basePath: defaults?.basePath ?? "")
            } catch {
                if let meant = RouteDefaults.misplaced(member, isInRoute: false) {
                    reader.reportName(
                        member.key, message: meant.message, expected: meant.expected, suggestion: meant.suggestion)
                    continue
                }
                if let meant = MissingSpace(inRoute: member, of: responseKeys) {
                    reader.reportName(
                        member.key, message: meant.message, expected: meant.expected, suggestion: meant.suggestion)
                    continue
                }
                reader.reportName(
                    member.key, message: error.message, expected: error.expected, found: error.found,
                    suggestion: error.suggestion)
                continue
            }
            if let meant = RouteResource.meant(by: key, member) {
                reader.reportName(
                    member.key, message: "no route has what a collection has",
                    expected: "\(RouteKey.resourceWord) /path",
                    suggestion: meant)
                continue
            }
            if key.isResource {
                reader.within(member.key) {
                    stubs += RouteResource.read(member.value, key, defaults ?? RouteDefaults(), &$0)
                }
                continue
            }
            if key.isWebSocket {
                reader.within(member.key) { reader in
                    stubs += RouteSocket.read(member.value, key, defaults ?? RouteDefaults(), &messages, &reader)
                }
                continue
            }
            if !mayBeResponse(member.value), let meant = MissingSpace(inRoute: member, of: responseKeys) {
                reader.reportName(
                    member.key, message: meant.message, expected: meant.expected, suggestion: meant.suggestion)
                continue
            }
            reader.within(member.key) { stubs += readRoute(member.value, key, defaults ?? RouteDefaults(), &$0) }
        }
        if !routes.isEmpty { RouteCORS.complete(&stubs, of: object, &reader) }
        return RouteStubs(stubs: stubs, messages: messages)
    }

    private static func mayBeResponse(_ value: JSONValue) -> Bool {
        switch value {
        case .null, .object, .array: true
        case .string, .number, .bool: false
        }
    }

    private static func readRoute(
        _ value: JSONValue, _ key: RouteKey, _ defaults: RouteDefaults, _ reader: inout ModelReader
    ) -> [LocatedStub] {
        let routeKey = reader.place
        func read(_ value: JSONValue, _ reader: inout ModelReader) -> LocatedStub {
            var origin = StubOrigin(place: reader.place, routeKey: routeKey)
            let stub = readResponse(value, key, defaults, &origin, &reader)
            origin.sources += defaults.sources(in: stub)
            return LocatedStub(stub: stub, origin: origin)
        }
        guard case .array(let elements) = value else { return [read(value, &reader)] }
        guard !elements.isEmpty else {
            reader.report(detail: nil, message: "a route without a response", expected: "at least one response")
            return []
        }
        var stubs: [LocatedStub] = []
        var isAlwaysAnswered = false
        for (index, element) in elements.enumerated() {
            reader.within(String(index)) { reader in
                if isAlwaysAnswered, element["priority"] == nil {
                    reader.warn("this response is never sent: one above it has no \"when\", so it always answers")
                }
                let read = read(element, &reader)
                stubs.append(read)
                if element["when"] == nil, element["priority"] == nil, !RouteSequence.mayStop(element),
                    !RouteScenario.mayStop(element), read.stub.response.fallThrough != true
                {
                    isAlwaysAnswered = true
                }
            }
        }
        return stubs
    }

    static func readResponse(
        _ value: JSONValue, _ key: RouteKey, _ defaults: RouteDefaults, _ origin: inout StubOrigin,
        _ reader: inout ModelReader
    ) -> StubMapping {
        var stub = StubMapping(
            id: reader.derivedID ?? StubMapping.randomID(), request: RequestPattern(method: key.method, url: key.url))
        stub.request.queryParameters = key.query
        stub.answersHead = key.method.isForGet
        stub.cors = defaults.cors
        // A key without a value is an empty 200.
        guard let object = value.isNull ? JSONObject() : value.objectValue else {
            if let text = value.stringValue, let meant = MissingSpace(inKey: text, of: responseKeys) {
                reader.report(
                    detail: nil, message: meant.message, expected: meant.expected, suggestion: meant.suggestion)
                return stub
            }
            reader.report(
                detail: nil, message: "wrong type", expected: "a response, such as {status: 200, json: {…}}, or a list",
                found: value.shortDescription)
            return stub
        }
        let notIndented = membersNotIndented(below: object)
        for member in object.members {
            if let outer = notIndented.outer, notIndented.names.contains(member.key) {
                reader.reportName(
                    member.key, message: "\(quoted(member.key)) stands beside \(quoted(outer)), which is empty",
                    expected: "it indented more than \(quoted(outer)), to be part of that")
                continue
            }
            if !responseKeys.contains(member.key), let meant = RouteDefaults.misplaced(member, isInRoute: true) {
                reader.reportName(
                    member.key, message: meant.message, expected: meant.expected, suggestion: meant.suggestion)
                continue
            }
            if let meant = MisplacedKey(member, in: key, at: reader.place) {
                reader.reportName(
                    member.key, message: meant.message, expected: meant.expected, suggestion: meant.suggestion)
                continue
            }
            reader.key(member, of: responseKeys, otherNames: otherNames) { reader in
                switch member.key {
                case "when":
                    var conditions = RouteConditions(request: stub.request)
                    conditions.read(member.value, &reader)
                    stub.request = conditions.request
                    origin.sources += conditions.sources
                case "capture": origin.sources += RouteCapture.read(member.value, into: &stub, &reader)
                case "webhook", "webhooks":
                    origin.sources += RouteWebhook.read(member.value, into: &stub, &reader)
                default: read(member, into: &stub, defaults, &reader)
                }
            }
        }
        if object["sequence"]?.objectValue != nil { origin.sequence.append("responses") }
        RouteSequence.check(object, &stub, &reader)
        finish(object, &stub, defaults, &reader)
        return stub
    }

    /// The members of a response that follow a key without a value: they were probably meant to be indented below it.
    private static func membersNotIndented(below object: JSONObject) -> (outer: String?, names: Set<String>) {
        let outerKeys = ["json", "headers", "when", "data"]
        guard let place = object.members.firstIndex(where: { outerKeys.contains($0.key) && $0.value.isNull }) else {
            return (nil, [])
        }
        let outer = object.members[place].key
        let behind = object.members[(place + 1)...]
        func isStrange(_ member: JSONObject.Member) -> Bool {
            if outer != "when", ["query", "queryParameters"].contains(member.key) { return false }
            if member.key == "id" { return member.value.stringValue.flatMap(StubMapping.id(text:)) == nil }
            return !responseKeys.contains(member.key) && otherNames[member.key] == nil
        }
        guard behind.contains(where: isStrange) else { return (nil, []) }
        return (outer, Set(behind.prefix { isStrange($0) || !responseKeys.contains($0.key) }.map(\.key)))
    }

    /// Reads a response of a sequence.
    static func readEntry(
        _ value: JSONValue, _ defaults: RouteDefaults, _ reader: inout ModelReader
    ) -> ResponseDefinition {
        var stub = StubMapping.unread
        guard
            let object = reader.fields(value, "a response, such as {status: 200, json: {…}}")
        else { return stub.response }
        for member in object.members {
            if let meant = MisplacedKey(wrapping: member, "an entry of a sequence", "\"sequence\"", entryKeys) {
                reader.reportName(member.key, message: meant.message, expected: meant.expected)
                continue
            }
            if let meant = MisplacedKey(inEntry: member.key) {
                reader.reportName(member.key, message: meant.message, expected: meant.expected)
                continue
            }
            reader.key(member, of: entryKeys, otherNames: otherNames) { read(member, into: &stub, defaults, &$0) }
        }
        finish(object, &stub, defaults, &reader)
        // `fallThrough` from the file's defaults does not apply to a single response of a sequence.
        stub.response.fallThrough = nil
        return stub.response
    }

    private static func finish(
        _ object: JSONObject, _ stub: inout StubMapping, _ defaults: RouteDefaults, _ reader: inout ModelReader
    ) {
        checkBodies(object, stub, &reader)
        guard stub.responses == nil else { return }
        stub.response.checkOptions(&reader)
        defaults.complete(&stub.response, of: object)
        addContentType(object, &stub)
        // An empty list suppresses a header that would be added.
        stub.response.headers.removeAll { $0.values.isEmpty }
        RouteTemplate.complete(&stub.response, &reader)
    }

    static func read(
        _ member: JSONObject.Member, into stub: inout StubMapping, _ defaults: RouteDefaults,
        _ reader: inout ModelReader
    ) {
        let value = member.value
        switch member.key {
        case "name": stub.name = reader.text(value)
        case "status": readStatus(value, into: &stub.response, &reader)
        case "statusMessage": stub.response.statusMessage = reader.text(value)
        case "headers": stub.response.headers = readHeaders(value, &reader)
        case "body": readBody(value, into: &stub.response, &reader)
        // WireMock treats a null `jsonBody` as absent.
        case "json" where value.isNull: stub.response.body = "null"
        case "json": stub.response.jsonBody = value
        case "base64": readBase64(value, into: &stub.response, &reader)
        case "file": readFile(value, into: &stub.response, &reader)
        case "template": RouteTemplate.read(value, into: &stub.response, &reader)
        case "delay": RouteDelay.readDelay(value, into: &stub.response, &reader)
        case "dribble":
            stub.response.chunkedDribbleDelay = RouteDribble.read(value, &reader).map {
                DribbleDelay(numberOfChunks: $0.chunks, totalDuration: $0.over)
            }
        case "cors": stub.cors = CORSPolicy.read(value, &reader)
        case "scenario": RouteScenario.read(value, &reader)?.apply(to: &stub, &reader)
        case "trailers": stub.response.trailers = readHeaders(value, &reader)
        case "proxy": ProxyDefinition.read(value, &reader)?.apply(to: &stub.response)
        case _ where DialectNames.routeResponseOfMapping.contains(member.key): stub.readMember(member, &reader)
        case _ where DialectNames.routeResponseOfResponse.contains(member.key):
            stub.response.readMember(member, &reader)
        case "sequence": RouteSequence.read(value, into: &stub, defaults, &reader)
        default: break
        }
    }

    // MARK: Response

    private static func readStatus(
        _ value: JSONValue, into response: inout ResponseDefinition, _ reader: inout ModelReader
    ) {
        if let text = value.stringValue, RouteTemplate.hasExpression(text) {
            response.statusTemplate = text
            return
        }
        guard let status = value.intValue ?? value.stringValue.flatMap({ Int($0) }), (100...999).contains(status) else {
            reader.report(
                detail: nil, message: "not a status", expected: "an integer from 100 to 999, or a template of one",
                found: value.shortDescription)
            return
        }
        response.status = status
    }

    static func readHeaders(_ value: JSONValue, _ reader: inout ModelReader) -> [ResponseHeader] {
        guard let object = reader.fields(value, "an object of names and values") else { return [] }
        var headers: [ResponseHeader] = []
        for member in object.members {
            reader.within(member.key) { reader in
                if case .array(let elements) = member.value {
                    headers.append(ResponseHeader(member.key, reader.elements(elements) { $1.text($0) }))
                } else if let text = reader.text(member.value) {
                    headers.append(ResponseHeader(member.key, [text]))
                }
            }
        }
        return headers
    }

    private static func readBody(
        _ value: JSONValue, into response: inout ResponseDefinition, _ reader: inout ModelReader
    ) {
        switch value {
        case .array, .object:
            reader.report(
                detail: nil, message: "a body must be a string", expected: "a string here, or the value under \"json\"",
                found: value.shortDescription, suggestion: "json")
        case .null:
            reader.wantsText(value)
            reader.report(
                detail: nil, message: "no text",
                expected:
                    "a text, or no \"body\" at all; in quotes if it begins with #, which begins a comment otherwise",
                found: value.shortDescription)
        default: response.body = reader.text(value)
        }
    }

    private static func readBase64(
        _ value: JSONValue, into response: inout ResponseDefinition, _ reader: inout ModelReader
    ) {
        guard let text = reader.text(value) else { return }
        // YAML blocks contain line ends.
        let letters = String(String.UnicodeScalarView(text.unicodeScalars.filter { $0.value > 0x20 }))
        do throws(Base64.Problem) {
            response.base64Body = Base64.encode(try Base64.decode(letters))
        } catch {
            reader.report(
                detail: nil, message: "not Base64: \(error.detail)", expected: "Base64", found: value.shortDescription)
        }
    }

    private static func readFile(
        _ value: JSONValue, into response: inout ResponseDefinition, _ reader: inout ModelReader
    ) {
        guard let name = reader.text(value) else { return }
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        guard !name.isEmpty, !name.hasPrefix("/"), !parts.contains("..") else {
            reader.report(
                detail: nil, message: "not a file name", expected: "a path below __files, without ..",
                found: value.shortDescription)
            return
        }
        response.bodyFileName = name
    }

    private static func checkBodies(_ object: JSONObject, _ stub: StubMapping, _ reader: inout ModelReader) {
        let given = object.keys.filter(bodyKeys.contains)
        if given.count > 1 {
            reader.reportName(
                given[1], message: "a response has only one body",
                expected: "one of \(bodyKeys.joined(separator: ", "))",
                found: given.joined(separator: " and "))
        }
        if stub.response.proxyBaseUrl != nil {
            for key in object.keys where ["status", "statusMessage"].contains(key) || bodyKeys.contains(key) {
                reader.within(key) { $0.warn("this is never sent: the server that the request is sent on to answers") }
            }
        }
        guard stub.response.fault != nil else { return }
        let unsent = object.keys.filter { ["status", "statusMessage", "headers", "dribble"].contains($0) } + given
        for key in unsent {
            reader.within(key) { $0.warn("this is never sent: the fault replaces the response") }
        }
    }

    /// Adds the Content-Type implied by the body's key.
    private static func addContentType(_ object: JSONObject, _ stub: inout StubMapping) {
        // A body beside `proxy` is never sent.
        if stub.response.proxyBaseUrl != nil { return }
        guard !stub.response.headers.contains(where: { $0.name.lowercased() == "content-type" }) else { return }
        let type: String?
        if object["json"] != nil {
            type = "application/json"
        } else if let name = stub.response.bodyFileName {
            type = MediaType.suggested(forFileNamed: name)
        } else if stub.response.body != nil {
            type = "text/plain; charset=utf-8"
        } else if stub.response.base64Body != nil {
            type = "application/octet-stream"
        } else {
            type = nil
        }
        if let type { stub.response.headers.append(ResponseHeader("Content-Type", [type])) }
    }
}
