public import JSON

extension ResponseDefinition {
    static let fieldNames = [
        "status", "statusMessage", "body", "jsonBody", "base64Body", "bodyFileName", "headers",
        "additionalProxyRequestHeaders", "removeProxyRequestHeaders", "fixedDelayMilliseconds", "delayDistribution",
        "chunkedDribbleDelay", "proxyBaseUrl", "proxyUrlPrefixToRemove", "fault", "transformers",
        "transformerParameters", "fromConfiguredStub",
    ]

    static func read(_ value: JSONValue, _ reader: inout ModelReader) -> ResponseDefinition {
        var response = ResponseDefinition()
        guard let object = reader.object(value, .responseDefinition) else { return response }
        for member in object.members {
            reader.member(member, class: .responseDefinition, of: fieldNames) { response.read(member, &$0) }
        }
        response.keepOneBody(object, &reader)
        return response
    }

    private mutating func read(_ member: JSONObject.Member, _ reader: inout ModelReader) {
        let value = member.value
        switch member.key {
        case "status":
            let given = reader.integer(value, .int) ?? 200
            status = given > 0 ? given : 200
        case "statusMessage": statusMessage = reader.string(value)
        case "body": body = reader.string(value)
        case "jsonBody": jsonBody = value.isNull ? nil : value
        case "base64Body": base64Body = Self.readBase64(value, &reader)
        case "bodyFileName": bodyFileName = reader.string(value)
        case "headers": headers = Self.readHeaders(value, &reader)
        case "additionalProxyRequestHeaders": additionalProxyRequestHeaders = Self.readHeaders(value, &reader)
        case "removeProxyRequestHeaders": removeProxyRequestHeaders = reader.strings(value) ?? []
        case "fixedDelayMilliseconds": fixedDelayMilliseconds = reader.integer(value, .boxedInt)
        case "delayDistribution": delayDistribution = DelayDistribution.read(value, &reader)
        case "chunkedDribbleDelay": chunkedDribbleDelay = DribbleDelay.read(value, &reader)
        case "proxyBaseUrl": proxyBaseUrl = reader.string(value)?.trimmingBlanks
        case "proxyUrlPrefixToRemove": proxyUrlPrefixToRemove = reader.string(value)
        case "fault":
            fault = reader.constant(
                value, javaType: JavaClass.fault.name,
                order: [
                    "CONNECTION_RESET_BY_PEER", "EMPTY_RESPONSE", "RANDOM_DATA_THEN_CLOSE", "MALFORMED_RESPONSE_CHUNK",
                ])
        case "transformers": transformers = reader.strings(value) ?? []
        case "transformerParameters": transformerParameters = reader.object(value, .parameters)
        default: fromConfiguredStub = reader.bool(value)
        }
    }

    /// Keeps one body. WireMock 3 uses the first of `body`, `jsonBody` and `base64Body` and drops the others; a
    /// `bodyFileName` beside them is kept but not sent.
    private mutating func keepOneBody(_ object: JSONObject, _ reader: inout ModelReader) {
        let names = ["body", "jsonBody", "base64Body", "bodyFileName"]
        let given = names.filter { object[$0].map { !$0.isNull } ?? false }
        guard let first = given.first, given.count > 1 else { return }
        for name in given.dropFirst() { reader.warn("\"\(name)\" is ignored beside \"\(first)\"", name: name) }
        if first != "jsonBody" { jsonBody = nil }
        if first != "base64Body" { base64Body = nil }
    }

    private static func readBase64(_ value: JSONValue, _ reader: inout ModelReader) -> String? {
        guard let text = reader.string(value) else { return nil }
        do throws(Base64.Problem) {
            return Base64.encode(try Base64.decode(text))
        } catch {
            let response = reader.pointer.parent
            reader.anchored(at: response) {
                $0.report(
                    detail: error.detail, message: "not Base64", expected: "Base64", found: value.shortDescription)
            }
            return nil
        }
    }

    private static func readHeaders(_ value: JSONValue, _ reader: inout ModelReader) -> [ResponseHeader] {
        let example = "an object of names and values, such as {\"Accept\": \"text/plain\"}"
        if value.isNull { return [] }
        guard case .object(let object) = value else {
            // WireMock accepts this, and sends no headers.
            reader.report(
                detail: "headers must be an object", message: "wrong type", expected: example,
                found: value.shortDescription)
            return []
        }
        var headers: [ResponseHeader] = []
        let anchor = reader.pointer
        for member in object.members {
            reader.within(member.key) { reader in
                reader.anchored(at: anchor) { reader in
                    switch member.value {
                    case .string(let text): headers.append(ResponseHeader(member.key, [text]))
                    case .array(let elements):
                        let values = elements.compactMap(\.stringValue)
                        if values.count == elements.count {
                            headers.append(ResponseHeader(member.key, values))
                        } else {
                            reader.report(
                                detail: nil, message: "wrong type", expected: "a list of strings",
                                found: member.value.compactText)
                        }
                    default:
                        reader.report(
                            detail: "null value in entry: \(member.key)=null", message: "wrong type",
                            expected: "a string or a list of strings", found: member.value.shortDescription)
                    }
                }
            }
        }
        return headers
    }
}

extension ResponseDefinition {
    /// The definition in WireMock's order, without absent members.
    public var json: JSONValue {
        var object = JSONObject()
        object["status"] = .number(JSONNumber(status))
        object["statusMessage"] = statusMessage.map(JSONValue.string)
        object["body"] = body.map(JSONValue.string)
        object["jsonBody"] = jsonBody
        object["base64Body"] = base64Body.map(JSONValue.string)
        object["bodyFileName"] = bodyFileName.map(JSONValue.string)
        object["headers"] = headers.json
        object["additionalProxyRequestHeaders"] = additionalProxyRequestHeaders.json
        object["removeProxyRequestHeaders"] = removeProxyRequestHeaders.json
        object["fixedDelayMilliseconds"] = fixedDelayMilliseconds.map { .number(JSONNumber($0)) }
        object["delayDistribution"] = delayDistribution?.json
        object["chunkedDribbleDelay"] = chunkedDribbleDelay?.json
        object["proxyBaseUrl"] = proxyBaseUrl.map(JSONValue.string)
        object["proxyUrlPrefixToRemove"] = proxyUrlPrefixToRemove.map(JSONValue.string)
        object["fault"] = fault.map { .string($0.rawValue) }
        object["transformers"] = transformers.json
        object["transformerParameters"] = transformerParameters.flatMap { $0.isEmpty ? nil : .object($0) }
        if fromConfiguredStub == false { object["fromConfiguredStub"] = .bool(false) }
        return .object(object)
    }
}

extension [ResponseHeader] {
    /// The headers as an object: a single value is a string, several are a list. Nil if there are none.
    public var json: JSONValue? {
        guard !isEmpty else { return nil }
        return .object(
            JSONObject(
                map { header in
                    let values = header.values.map(JSONValue.string)
                    return (header.name, values.count == 1 ? values[0] : .array(values))
                }))
    }
}

extension [String] {
    /// The object; nil if it is empty.
    var json: JSONValue? {
        isEmpty ? nil : .array(map(JSONValue.string))
    }
}
