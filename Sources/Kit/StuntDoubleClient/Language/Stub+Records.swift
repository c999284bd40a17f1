import SDJSON
import SDShorthand
import SDStubModel

/// Collections of records, which clients create, change and remove.
extension Stub {
    /// Makes the stubs of a collection: for the path of the whole, for those of its records, and for the path of the whole
    /// with a slash at its end.
    /// - Parameters:
    ///   - path: `/users`, or `/users/{userId}/posts` for those of each user.
    ///   - name: the collection's name; nil for the last segment of the path that is no variable.
    ///   - key: the field with a record's key.
    ///   - data: the records to begin with.
    ///   - dataFile: their file in the daemon's folder `__files`, in place of `data`.
    ///   - schema: the JSON Schema that records from clients must satisfy.
    ///   - schemaFile: its file in the daemon's folder `__files`, in place of `schema`.
    /// - Throws: for a path that is none, or has no name in it.
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
