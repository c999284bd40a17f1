// Made by `make dialect` of Sources/Dialect/Table; do not edit.
// swift-format-ignore-file

public import SDJSON

/// The answer of a stub: WireMock's response definition.
public struct ResponseDefinition: Sendable, Hashable {
    /// The status; 200 if absent. A template of a number is an addition to WireMock.
    public var status: Int = 200
    /// The template of a status in place of a number.
    public var statusTemplate: String?
    /// The words after the status; the usual ones if absent.
    public var statusMessage: String?
    /// A text.
    public var body: String?
    /// Any value, sent as compact JSON.
    public var jsonBody: JSONValue?
    /// Bytes in Base64.
    public var base64Body: String?
    /// The path of a file below `__files`.
    public var bodyFileName: String?
    /// Names and values; a list of values is several header lines.
    public var headers: [ResponseHeader] = []
    /// Headers that are added to a request that is sent on.
    public var additionalProxyRequestHeaders: [ResponseHeader] = []
    /// Takes headers out of the request that is sent on; names compare without case.
    public var removeProxyRequestHeaders: [String] = []
    /// The wait before the first byte. A template of a number or a duration is an addition to WireMock.
    public var fixedDelayMilliseconds: Int?
    /// The template of a fixed delay in place of a number: an addition to WireMock.
    public var fixedDelayTemplate: String?
    /// A wait that is drawn for each response, added to the fixed one.
    public var delayDistribution: DelayDistribution?
    /// Sends the body in pieces: `{numberOfChunks, totalDuration}`, in milliseconds.
    public var chunkedDribbleDelay: DribbleDelay?
    /// The server that the request is sent on to.
    public var proxyBaseUrl: String?
    /// Takes a text from the beginning of the path before the request is sent on: with `/v1`, `/v1/orders` becomes
    /// `/orders`.
    public var proxyUrlPrefixToRemove: String?
    /// Calls the server that the request is sent on to in HTTP/2, as those of gRPC need it. With `https` it may still
    /// choose HTTP/1.1. An addition to WireMock.
    public var proxyHttp2: Bool?
    /// The wait before the first byte, and the one before each chunk: `{firstByte, perChunk}`. An addition to WireMock.
    public var delays: ResponseDelays?
    /// Breaks the connection in place of an answer, by a name such as `EMPTY_RESPONSE`. An object, or a list of them,
    /// is a fault of our own, an addition to WireMock.
    public var fault: Fault?
    /// The faults that `fault` states as an object, or as a list of them.
    public var faults: FaultPlan?
    /// Transformers of WireMock: `response-template` makes the response a template, `proxied-hostname-rewrite` makes
    /// answers of other servers name this one; other names say nothing.
    public var transformers: [String] = []
    /// Values that a template finds under `parameters`.
    public var transformerParameters: JSONObject?
    /// Whether `{{…}}` in the body, the headers, the status message and the delay is filled in for each request,
    /// whatever the transformers say. An addition to WireMock.
    public var template: Bool?
    /// Written by WireMock, and never read.
    public var fromConfiguredStub: Bool?
    /// Waits at a gate until a test lets the response go. An addition to WireMock.
    public var hold: GateHold?
    /// Events or pieces in place of a body. An addition to WireMock.
    public var stream: StreamDefinition?
    /// The operation of an OpenAPI document that answers: its status, its header fields and its body. An addition to
    /// WireMock.
    public var openapi: OpenAPIAnswer? {
        get { boxedOpenapi?.value }
        set { boxedOpenapi = newValue.map(Boxed.init) }
    }
    private var boxedOpenapi: Boxed<OpenAPIAnswer>?
    /// Informational responses before this one, such as `[103]`. An addition to WireMock.
    public var early: [EarlyResponse] = []
    /// Header fields after the body, which is then sent in chunks. An addition to WireMock.
    public var trailers: [ResponseHeader] = []
    /// Lets requests ask for parts of the body with `Range`. An addition to WireMock.
    public var ranges: Bool?
    /// Sends a 304 to a client that has this version, by `If-None-Match` or `If-Modified-Since`. An addition to
    /// WireMock.
    public var conditional: Bool?
    /// Leaves requests to the next stub that matches as long as the body file is missing. An addition to WireMock.
    public var fallThrough: Bool?

    /// Makes one without any member.
    public init() {}
}

extension ResponseDefinition {
    package static var names: [String] { DialectNames.response }
    /// Whether it has nothing but status, headers, body, jsonBody.
    package var isShort: Bool {
        statusMessage == nil
            && base64Body == nil
            && bodyFileName == nil
            && additionalProxyRequestHeaders.isEmpty
            && removeProxyRequestHeaders.isEmpty
            && fixedDelayMilliseconds == nil
            && delayDistribution == nil
            && chunkedDribbleDelay == nil
            && proxyBaseUrl == nil
            && proxyUrlPrefixToRemove == nil
            && proxyHttp2 == nil
            && delays == nil
            && fault == nil
            && transformers.isEmpty
            && transformerParameters == nil
            && template == nil
            && fromConfiguredStub == nil
            && hold == nil
            && stream == nil
            && openapi == nil
            && early.isEmpty
            && trailers.isEmpty
            && ranges == nil
            && conditional == nil
            && fallThrough == nil
            && statusTemplate == nil
            && fixedDelayTemplate == nil
            && faults == nil
    }

    /// Reads the members of an object; others are reported.
    package mutating func readMembers(of object: JSONObject, _ reader: inout ModelReader) {
        for member in object.members {
            guard let index = reader.index(of: member, class: .responseDefinition, in: DialectNames.response) else { continue }
            reader.within(member.key) { readMember(index, member.value, &$0) }
        }
    }

    /// Reads the member of this index among `names`.
    package mutating func readMember(_ index: Int, _ value: JSONValue, _ reader: inout ModelReader) {
        switch index {
        case 0: readStatus(value, &reader)
        case 1: statusMessage = reader.string(value)
        case 2: body = reader.string(value)
        case 3: jsonBody = value.isNull ? nil : value
        case 4: base64Body = reader.base64(value)
        case 5: bodyFileName = reader.string(value)
        case 6: headers = reader.responseHeaders(value)
        case 7: additionalProxyRequestHeaders = reader.responseHeaders(value)
        case 8: removeProxyRequestHeaders = reader.strings(value) ?? []
        case 9: readFixedDelay(value, &reader)
        case 10: delayDistribution = DelayDistribution.read(value, &reader)
        case 11: chunkedDribbleDelay = DribbleDelay.read(value, &reader)
        case 12: proxyBaseUrl = reader.string(value)?.trimmingBlanks
        case 13: proxyUrlPrefixToRemove = reader.string(value)
        case 14: proxyHttp2 = reader.bool(value)
        case 15: delays = ResponseDelays.read(value, &reader)
        case 16: readFault(value, &reader)
        case 17: transformers = reader.strings(value) ?? []
        case 18: transformerParameters = reader.object(value, .parameters)
        case 19: template = reader.bool(value)
        case 20: fromConfiguredStub = reader.bool(value)
        case 21: hold = GateHold.read(value, &reader)
        case 22: stream = StreamDefinition.read(value, &reader)
        case 23: openapi = OpenAPIAnswer.read(value, &reader)
        case 24: early = EarlyResponse.readList(value, &reader)
        case 25: trailers = reader.responseHeaders(value)
        case 26: ranges = reader.bool(value)
        case 27: conditional = reader.bool(value)
        case 28: fallThrough = reader.bool(value)
        default: break
        }
    }

    /// Reads a member by its name; others are passed over.
    package mutating func readMember(_ member: JSONObject.Member, _ reader: inout ModelReader) {
        if let index = DialectNames.response.firstIndex(of: member.key) { readMember(index, member.value, &reader) }
    }

    /// The members that there are, in WireMock's order.
    package var members: JSONObject {
        var object = JSONObject()
        object["status"] = statusJSON
        object["statusMessage"] = statusMessage?.json
        object["body"] = body?.json
        object["jsonBody"] = jsonBody
        object["base64Body"] = base64Body?.json
        object["bodyFileName"] = bodyFileName?.json
        object["headers"] = headers.json
        object["additionalProxyRequestHeaders"] = additionalProxyRequestHeaders.json
        object["removeProxyRequestHeaders"] = removeProxyRequestHeaders.json
        object["fixedDelayMilliseconds"] = fixedDelayJSON
        object["delayDistribution"] = delayDistribution?.json
        object["chunkedDribbleDelay"] = chunkedDribbleDelay?.json
        object["proxyBaseUrl"] = proxyBaseUrl?.json
        object["proxyUrlPrefixToRemove"] = proxyUrlPrefixToRemove?.json
        object["proxyHttp2"] = proxyHttp2?.json
        object["delays"] = delays?.json
        object["fault"] = faultJSON
        object["transformers"] = transformers.json
        object["transformerParameters"] = parametersJSON
        object["template"] = template?.json
        object["fromConfiguredStub"] = fromConfiguredStubJSON
        object["hold"] = hold?.json
        object["stream"] = stream?.json
        object["openapi"] = openapi?.json
        object["early"] = early.isEmpty ? nil : .array(early.map(\.json))
        object["trailers"] = trailers.json
        object["ranges"] = ranges?.json
        object["conditional"] = conditional?.json
        object["fallThrough"] = fallThrough?.json
        return object
    }

    /// The document that it is read from.
    public var json: JSONValue { .object(members) }
}
