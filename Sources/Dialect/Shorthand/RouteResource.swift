import SDBasics
import SDJSON
import SDStubModel

/// A collection of records in the route shorthand: `CRUD /users: { data: users.json, key: id }`. It becomes three
/// stubs: for the path of the collection, for those of its records, and for the path with a trailing slash. They share
/// everything else of the entry.
enum RouteResource {
    static let ownKeys = ["data", "key", "schema", "collection", "cascade", "write"]
    static let keys = DialectNames.routeResource

    private static let otherNames = DialectNames.routeResourceAliases

    /// The collection key that a route with a misspelt keyword probably means; nil for any other route.
    static func meant(by key: RouteKey, _ member: JSONObject.Member) -> String? {
        guard case .exactly(let word) = key.method, word != RouteKey.resourceWord,
            nearestName(to: word, among: [RouteKey.resourceWord]) != nil,
            member.value.objectValue?.keys.contains(where: ownKeys.contains) ?? false
        else { return nil }
        return RouteKey.resourceWord + member.key.dropFirst(word.count)
    }

    static func read(
        _ value: JSONValue, _ key: RouteKey, _ defaults: RouteDefaults, _ reader: inout ModelReader
    ) -> [LocatedStub] {
        let place = reader.place
        var template = StubMapping(id: StubMapping.noID, request: RequestPattern(method: .any, url: key.url))
        template.cors = defaults.cors
        var origin = StubOrigin(place: place, routeKey: place)
        var path = text(of: key.url)
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        var resource = ResourceDefinition(name: "", path: path)
        let object: JSONObject
        switch value {
        case .null: object = JSONObject()
        case .string: object = ["data": value]
        case .object(let given): object = given
        default:
            reader.report(
                detail: nil, message: "wrong type",
                expected: "an object such as {data: users.json, key: id}, or the name of a file with the records",
                found: value.shortDescription)
            return []
        }
        for member in object.members {
            reader.key(member, of: keys, otherNames: otherNames) { reader in
                switch member.key {
                case "data", "key", "schema", "cascade", "write": resource.readMember(member, &reader)
                case "collection": resource.name = reader.text(member.value) ?? ""
                case "when":
                    var conditions = RouteConditions(request: template.request)
                    conditions.read(member.value, &reader)
                    template.request = conditions.request
                    origin.sources = conditions.sources
                case "capture": origin.sources += RouteCapture.read(member.value, into: &template, &reader)
                case "webhook", "webhooks":
                    origin.sources += RouteWebhook.read(member.value, into: &template, &reader)
                default: RouteShorthand.read(member, into: &template, defaults, &reader)
                }
            }
        }
        if resource.name.isEmpty { resource.name = resource.nameInPath ?? "" }
        if resource.name.isEmpty {
            reader.report(
                detail: nil, message: "the collection has no name",
                expected: "\"collection\", because the path has none")
        }
        resource.checkWriting(&reader)
        template.resource = resource
        defaults.complete(&template.response, of: object)
        RouteTemplate.complete(&template.response, &reader)
        origin.sources += defaults.sources(in: template)
        return zip(resource.urls, [nil, "{\(resource.key)}", "/"]).map { url, token in
            var stub = template
            stub.request.url = url
            let id = token.map { reader.within($0) { $0.derivedID } } ?? reader.derivedID
            stub.id = id ?? StubMapping.randomID()
            return LocatedStub(stub: stub, origin: origin)
        }
    }

    private static func text(of url: URLPattern) -> String {
        switch url {
        case .url(let text), .urlPattern(let text), .urlPath(let text), .urlPathPattern(let text),
            .urlPathTemplate(let text):
            text
        case .any: "/"
        }
    }
}
