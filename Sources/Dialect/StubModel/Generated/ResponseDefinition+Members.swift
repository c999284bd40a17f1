// Made by `make dialect` of Sources/Dialect/Table; do not edit.
// swift-format-ignore-file

public import SDJSON

/// The answer of a stub: WireMock's response definition.
public struct ResponseDefinition: Sendable, Hashable {
    /// The status; by default 200. A template of a number is an addition to WireMock.
    public var status: Int = 200
    /// The template of a status in place of a number.
    public var statusTemplate: String?
    /// The reason phrase; by default the standard one.
    public var statusMessage: String?
    /// A text.
    public var body: String?
    /// Any value, sent as compact JSON.
    public var jsonBody: JSONValue?
    /// Bytes in Base64.
    public var base64Body: String?
    /// The path of a file below `__files`.
    public var bodyFileName: String?
    /// Names and values; a list becomes several header lines.
    public var headers: [ResponseHeader] = []
    /// Headers added to a forwarded request.
    public var additionalProxyRequestHeaders: [ResponseHeader] = []
    /// Headers removed from a forwarded request; names compare case-insensitively.
    public var removeProxyRequestHeaders: [String] = []
    /// The delay before the first byte. A template of a number or a duration is an addition to WireMock.
    public var fixedDelayMilliseconds: Int?
    /// The template of a fixed delay in place of a number: an addition to WireMock.
    public var fixedDelayTemplate: String?
    /// A random delay for each response, added to the fixed one.
    public var delayDistribution: DelayDistribution?
    /// Sends the body in chunks over a time: `{numberOfChunks, totalDuration}`, in milliseconds.
    public var chunkedDribbleDelay: DribbleDelay?
    /// The server to forward the request to.
    public var proxyBaseUrl: String?
    /// A prefix removed from the path of a forwarded request: with `/v1`, `/v1/orders` becomes `/orders`.
    public var proxyUrlPrefixToRemove: String?
    /// Uses HTTP/2 for the forwarded request, as gRPC requires. With `https` the server may still choose HTTP/1.1. An
    /// addition to WireMock.
    public var proxyHttp2: Bool?
    /// The delays before the first byte and before each chunk: `{firstByte, perChunk}`. An addition to WireMock.
    public var delays: ResponseDelays?
    /// Breaks the connection in place of an answer, by a name such as `EMPTY_RESPONSE`. An object, or a list of
    /// objects, is one of our own faults, an addition to WireMock.
    public var fault: Fault?
    /// The faults in `fault` that are objects.
    public var faults: FaultPlan?
    /// Transformers of WireMock: `response-template` makes the response a template, `proxied-hostname-rewrite` rewrites
    /// host names in answers of other servers to this one; other names have no effect.
    public var transformers: [String] = []
    /// Values available to the template under `parameters`.
    public var transformerParameters: JSONObject?
    /// Whether `{{…}}` in the body, the headers, the status message and the delay is rendered for each request,
    /// regardless of the transformers. An addition to WireMock.
    public var template: Bool?
    /// Written by WireMock; not read.
    public var fromConfiguredStub: Bool?
    /// Holds the response at a gate until a test releases it. An addition to WireMock.
    public var hold: GateHold?
    /// Events or chunks in place of a body. An addition to WireMock.
    public var stream: StreamDefinition?
    /// The operation of an OpenAPI document that answers: its status, headers and body. An addition to WireMock.
    public var openapi: OpenAPIAnswer? {
        get { boxedOpenapi?.value }
        set { boxedOpenapi = newValue.map(Boxed.init) }
    }
    private var boxedOpenapi: Boxed<OpenAPIAnswer>?
    /// Informational responses before this one, such as `[103]`. An addition to WireMock.
    public var early: [EarlyResponse] = []
    /// Header fields after the body, which is then sent in chunks. An addition to WireMock.
    public var trailers: [ResponseHeader] = []
    /// Supports range requests with `Range`. An addition to WireMock.
    public var ranges: Bool?
    /// Answers 304 to a client that has this version, by `If-None-Match` or `If-Modified-Since`. An addition to
    /// WireMock.
    public var conditional: Bool?
    /// Leaves requests to the next matching stub while the body file is missing. An addition to WireMock.
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
