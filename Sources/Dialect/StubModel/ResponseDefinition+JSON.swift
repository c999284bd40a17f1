import SDBasics
public import SDJSON

extension ResponseDefinition {
    package static func read(_ value: JSONValue, _ reader: inout ModelReader) -> ResponseDefinition {
        var response = ResponseDefinition()
        guard let object = reader.object(value, .responseDefinition) else { return response }
        response.readMembers(of: object, &reader)
        response.keepOneBody(object, &reader)
        response.checkOptions(&reader)
        return response
    }

    /// Reports options that have no meaning in the response.
    package func checkOptions(_ reader: inout ModelReader) {
        if conditional == true, stream != nil {
            reader.within("conditional") {
                $0.refuse("a stream has no version that a client could have", expected: "a body", found: "a stream")
            }
        }
        if fallThrough == true, bodyFileName == nil || body != nil || jsonBody != nil || base64Body != nil {
            reader.within("fallThrough") {
                $0.refuse(
                    "only a response with a body file falls through", expected: "a file that may be missing",
                    found: bodyFileName == nil ? "none" : "another body beside it")
            }
        }
    }

    static let bodyNames = ["body", "jsonBody", "base64Body", "bodyFileName"]

    /// Keeps one body. WireMock 3 uses the first of `body`, `jsonBody` and `base64Body` and drops the others; an
    /// additional `bodyFileName` is kept but not sent.
    private mutating func keepOneBody(_ object: JSONObject, _ reader: inout ModelReader) {
        let count = object.members.count { !$0.value.isNull && Self.bodyNames.contains($0.key) }
        if stream != nil, count > 0 {
            for name in Self.bodyNames where object[name].map({ !$0.isNull }) ?? false {
                reader.warn("\"\(name)\" is ignored beside \"stream\"", name: name)
            }
        }
        guard count > 1 else { return }
        let given = Self.bodyNames.filter { object[$0].map { !$0.isNull } ?? false }
        guard let first = given.first else { return }
        for name in given.dropFirst() { reader.warn("\"\(name)\" is ignored beside \"\(first)\"", name: name) }
        if first != "jsonBody" { jsonBody = nil }
        if first != "base64Body" { base64Body = nil }
    }
}

/// Members with custom reading or writing.
extension ResponseDefinition {
    /// Reads a status, or a template for it.
    mutating func readStatus(_ value: JSONValue, _ reader: inout ModelReader) {
        if let text = value.stringValue, text.contains(text: "{{") {
            statusTemplate = text
        } else {
            status = reader.status(value)
        }
    }

    /// Reads a number, or a template for it.
    mutating func readFixedDelay(_ value: JSONValue, _ reader: inout ModelReader) {
        if let text = value.stringValue, text.contains(text: "{{") {
            fixedDelayTemplate = text
        } else {
            fixedDelayMilliseconds = reader.integer(value, .boxedInt)
            if fixedDelayMilliseconds ?? 0 < 0 { reader.warn("a negative delay counts as none") }
        }
    }

    /// Reads one of WireMock's faults, or a plan.
    package mutating func readFault(_ value: JSONValue, _ reader: inout ModelReader) {
        switch value {
        case .object, .array: faults = FaultPlan.read(value, &reader)
        default: fault = reader.fault(value)
        }
    }

    var statusJSON: JSONValue { statusTemplate?.json ?? status.json }
    var fixedDelayJSON: JSONValue? { fixedDelayTemplate?.json ?? fixedDelayMilliseconds?.json }
    var faultJSON: JSONValue? { fault?.json ?? faults?.json }
    var parametersJSON: JSONValue? { transformerParameters.flatMap { $0.isEmpty ? nil : $0.json } }
    var fromConfiguredStubJSON: JSONValue? { fromConfiguredStub == false ? false : nil }
}

extension [ResponseHeader] {
    /// The headers as an object: one value is a string, several are a list. Nil if there are none.
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

extension ModelReader {
    /// Reads a status; null gives 200.
    mutating func status(_ value: JSONValue) -> Int {
        let given = integer(value, .int) ?? 200
        if given <= 0 { warn("\(given) is no status, and 200 is sent", expected: "an integer from 100 to 999") }
        return given > 0 ? given : 200
    }

    mutating func base64(_ value: JSONValue) -> String? {
        guard let text = string(value) else { return nil }
        do throws(Base64.Problem) {
            return Base64.encode(try Base64.decode(text))
        } catch {
            let response = pointer.parent
            anchored(at: response) {
                $0.report(
                    detail: error.detail, message: "not Base64", expected: "Base64", found: value.shortDescription)
            }
            return nil
        }
    }

    mutating func responseHeaders(_ value: JSONValue) -> [ResponseHeader] {
        let example = "an object of names and values, such as {\"Accept\": \"text/plain\"}"
        if value.isNull { return [] }
        guard case .object(let object) = value else {
            // WireMock accepts this, and sends no headers.
            report(
                detail: "headers must be an object", message: "wrong type", expected: example,
                found: value.shortDescription)
            return []
        }
        var headers: [ResponseHeader] = []
        let anchor = pointer
        for member in object.members {
            within(member.key) { reader in
                reader.wantsTexts(in: member.value)
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

    /// - Parameter isAlone: whether the value may also be a whole plan.
    mutating func fault(_ value: JSONValue, isAlone: Bool = true) -> Fault? {
        constant(
            value, javaType: JavaClass.fault.name,
            order: [
                "CONNECTION_RESET_BY_PEER", "EMPTY_RESPONSE", "RANDOM_DATA_THEN_CLOSE", "MALFORMED_RESPONSE_CHUNK",
            ], orElse: isAlone ? "an object such as {cutAfter: 10, then: rst}" : nil,
            meant: isAlone ? MeantFault.meant(by: value) : MeantFault.members(meantBy: value))
    }
}
