import JSON
import StubModel

/// A stub mapping in compact form.
///
/// The dialect has about forty fields, of which a mapping uses a handful: with 100,000 stubs the unused fields would
/// take most of the memory. Each case is a block of its own size, shared by all copies.
indirect enum StoredMapping: Sendable {
    case short(ShortMapping)
    case whole(StubMapping)

    init(_ mapping: StubMapping) {
        self = ShortMapping.holds(mapping) ? .short(ShortMapping(mapping)) : .whole(mapping)
    }

    var id: StubMapping.ID {
        switch self {
        case .short(let short): short.id
        case .whole(let mapping): mapping.id
        }
    }

    var name: String? {
        switch self {
        case .short(let short): short.name
        case .whole(let mapping): mapping.name
        }
    }

    var response: ResponseDefinition {
        switch self {
        case .short(let short): short.response
        case .whole(let mapping): mapping.response
        }
    }

    var mapping: StubMapping {
        switch self {
        case .short(let short): short.mapping
        case .whole(let mapping): mapping
        }
    }
}

/// The fields that suffice for most mappings.
struct ShortMapping: Sendable {
    let id: StubMapping.ID
    let name: String?
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

    /// Whether the fields hold all of the mapping: without those that there is no room for, it is empty.
    static func holds(_ mapping: StubMapping) -> Bool {
        var rest = mapping
        rest.id = empty.id
        rest.name = nil
        rest.priority = nil
        rest.request.url = .any
        rest.request.method = .any
        rest.request.headers = []
        rest.request.queryParameters = []
        rest.request.bodyPatterns = []
        rest.response.status = empty.response.status
        rest.response.headers = []
        rest.response.body = nil
        rest.response.jsonBody = nil
        return rest == empty
    }

    private static let empty = StubMapping()

    /// Takes the mapping's values for these fields.
    init(_ mapping: StubMapping) {
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
    }

    var response: ResponseDefinition {
        var response = ResponseDefinition(status: status)
        response.headers = headers
        response.body = body
        response.jsonBody = jsonBody
        return response
    }

    var mapping: StubMapping {
        var request = RequestPattern(method: method, url: url)
        request.headers = requestHeaders
        request.queryParameters = queryParameters
        request.bodyPatterns = bodyPatterns
        return StubMapping(id: id, name: name, request: request, response: response, priority: priority)
    }
}

/// A response definition in a block of its own, for types that rarely have one: stored in place it takes 300 bytes,
/// even if it is nil.
final class StoredResponse: Sendable {
    let definition: ResponseDefinition

    init(_ definition: ResponseDefinition) {
        self.definition = definition
    }
}
