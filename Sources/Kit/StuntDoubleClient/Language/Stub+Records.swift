import SDJSON
import SDShorthand
import SDStubModel

/// Collections of records that clients create, change and remove.
extension Stub {
    /// Makes the stubs of a collection: for its path, with and without a slash at the end, and for the paths of its
    /// records.
    /// - Parameters:
    ///   - path: `/users`, or `/users/{userId}/posts` for a collection per user.
    ///   - name: the collection's name; nil for the last segment of the path that is not a variable.
    ///   - key: the field that holds a record's key.
    ///   - data: the initial records.
    ///   - dataFile: a file of initial records in the daemon's folder `__files`, in place of `data`.
    ///   - schema: the JSON Schema that records from clients must satisfy.
    ///   - schemaFile: a schema file in the daemon's folder `__files`, in place of `schema`.
    /// - Throws: `Stub.Problem` for an invalid path, or one without a name.
    public static func records(
        _ path: String, name: String? = nil, key: String? = nil, data: JSON? = nil, dataFile: String? = nil,
        schema: JSON? = nil, schemaFile: String? = nil
    ) throws(Stub.Problem) -> [Stub] {
        _ = try Stub.Request.any(path).checked()
        var resource = ResourceDefinition(
            name: "", path: path == "/" || !path.hasSuffix("/") ? path : String(path.dropLast()))
        guard let name = name ?? resource.nameInPath else {
            throw Stub.Problem("a collection without a name, which \(path) does not have either")
        }
        resource.name = name
        resource.givenKey = key
        resource.data = dataFile.map { .file($0) } ?? data.map { .inline($0.value) }
        resource.schema = schemaFile.map { .file($0) } ?? schema.map { .inline($0.value) }
        return resource.urls.map { url in
            var stub = SDStubModel.StubMapping(request: SDStubModel.RequestPattern(url: url))
            stub.resource = resource
            return Stub(stub)
        }
    }
}
