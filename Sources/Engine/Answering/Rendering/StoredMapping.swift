package import SDJSON
package import SDStubModel

/// A stub mapping in compact form.
///
/// The dialect has about forty fields, of which a mapping uses few: with 100,000 stubs, the unused fields would take
/// most of the memory. Each case is an allocation of its own size, shared by all copies.
package indirect enum StoredMapping: Sendable {
    case short(ShortMapping)
    case whole(StubMapping)

    package init(_ mapping: borrowing StubMapping) {
        self = ShortMapping.holds(mapping) ? .short(ShortMapping(mapping)) : .whole(copy mapping)
    }

    /// Whether the mapping has only the most common fields.
    var isShort: Bool {
        if case .short = self { true } else { false }
    }

    package var id: StubMapping.ID {
        switch self {
        case .short(let short): short.id
        case .whole(let mapping): mapping.id
        }
    }

    package var name: String? {
        switch self {
        case .short(let short): short.name
        case .whole(let mapping): mapping.name
        }
    }

    package var response: ResponseDefinition {
        switch self {
        case .short(let short): short.response
        case .whole(let mapping): mapping.response
        }
    }

    package var metadata: JSONObject? {
        switch self {
        case .short: nil
        case .whole(let mapping): mapping.metadata
        }
    }

    package var cors: CORSPolicy? {
        switch self {
        case .short: nil
        case .whole(let mapping): mapping.cors
        }
    }

    package var mapping: StubMapping {
        switch self {
        case .short(let short): short.mapping
        case .whole(let mapping): mapping
        }
    }
}

/// The most common fields, which suffice for most mappings.
package struct ShortMapping: Sendable {
    package let id: StubMapping.ID
    package let name: String?
    private let priority: Int?
    private let url: URLPattern
    private let method: MethodPattern
    private let requestHeaders: [NamedMatcher]
    private let queryParameters: [NamedMatcher]
    private let bodyPatterns: [ValueMatcher]
    private let status: Int
    private let headers: [ResponseHeader]
    private let body: String?
    private let jsonBody: JSONValue?
    private let answersHead: Bool

    /// Whether these fields hold the whole mapping.
    package static func holds(_ mapping: StubMapping) -> Bool {
        mapping.isShort && mapping.request.isShort && mapping.response.isShort
    }

    /// Copies the mapping's values of these fields.
    package init(_ mapping: borrowing StubMapping) {
        id = mapping.id
        name = mapping.name
        priority = mapping.priority
        url = mapping.request.url
        method = mapping.request.method
        requestHeaders = mapping.request.headers
        queryParameters = mapping.request.queryParameters
        bodyPatterns = mapping.request.bodyPatterns
        status = mapping.response.status
        headers = mapping.response.headers
        body = mapping.response.body
        jsonBody = mapping.response.jsonBody
        answersHead = mapping.answersHead
    }

    package var response: ResponseDefinition {
        var response = ResponseDefinition(status: status)
        response.headers = headers
        response.body = body
        response.jsonBody = jsonBody
        return response
    }

    package var mapping: StubMapping {
        var request = RequestPattern(method: method, url: url)
        request.headers = requestHeaders
        request.queryParameters = queryParameters
        request.bodyPatterns = bodyPatterns
        var mapping = StubMapping(id: id, name: name, request: request, response: response, priority: priority)
        mapping.answersHead = answersHead
        return mapping
    }
}

/// A response definition in its own allocation, for types that rarely have one: stored inline it takes 300 bytes, even
/// if it is nil.
final class StoredResponse: Sendable {
    package let definition: ResponseDefinition

    package init(_ definition: ResponseDefinition) {
        self.definition = definition
    }
}
