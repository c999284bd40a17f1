public import SDJSON
import SDShorthand
public import SDStubModel

/// Collections of records, which clients create, change and remove.
extension StubMapping {
    /// Makes the stubs of a collection: for the path of the whole, for those of its records, and for the path of the whole
    /// with a slash at its end.
    /// - Parameters:
    ///   - path: `/users`, or `/users/{userId}/posts` for those of each user.
    ///   - name: the collection's name; nil for the last segment of the path that is no variable.
    ///   - key: the field with a record's key.
    ///   - data: the records to begin with.
    ///   - schema: the JSON Schema that records from clients must satisfy.
    /// - Throws: for a path that is none, or has no name in it.
    public static func records(
        _ path: String, name: String? = nil, key: String? = nil, data: JSONValue? = nil, schema: JSONValue? = nil
    ) throws(StubProblem) -> [StubMapping] {
        try records(path, name: name, key: key, data: data.map { .inline($0) }, schema: schema.map { .inline($0) })
    }

    /// Makes the stubs of a collection whose records, or whose schema, are in a file of the daemon's folder
    /// `__files`.
    /// - Throws: for a path that is none, or has no name in it.
    public static func records(
        _ path: String, name: String? = nil, key: String? = nil, data: ResourceDefinition.Source?,
        schema: ResourceDefinition.Source? = nil
    ) throws(StubProblem) -> [StubMapping] {
        _ = try RequestPattern.any(path).checked()
        var resource = ResourceDefinition(
            name: "", path: path == "/" || !path.hasSuffix("/") ? path : String(path.dropLast()))
        guard let name = name ?? resource.nameInPath else {
            throw StubProblem("a collection without a name, which \(path) does not have either")
        }
        resource.name = name
        resource.givenKey = key
        resource.data = data
        resource.schema = schema
        return resource.urls.map { url in
            var stub = StubMapping(request: RequestPattern(url: url))
            stub.resource = resource
            return stub
        }
    }
}
