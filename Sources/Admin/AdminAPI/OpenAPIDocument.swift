private import SDCResources
import SDJSON

/// The admin API as an OpenAPI 3.0 document: the file `openapi.json` of `CResources`, which `make dialect` makes of the
/// dialect's table and its calls, and which the tests hold to the table of routes.
enum OpenAPIDocument {
    /// - Parameter version: the daemon's, which the file leaves open.
    static func json(version: String) -> JSONValue {
        var length = 0
        let start = rs_openapi(&length)
        let bytes = [UInt8](UnsafeBufferPointer(start: start, count: length))
        // The tests read it completely.
        guard var document = (try? JSONValue(parsing: bytes))?.objectValue,
            var info = document["info"]?.objectValue
        else { return [:] }
        info["version"] = .string(version)
        document["info"] = .object(info)
        return .object(document)
    }
}
