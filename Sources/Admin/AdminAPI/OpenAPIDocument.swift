import SDJSON
import SDPlatform

/// The admin API as an OpenAPI 3.0 document: the file `openapi.json` of `CResources`, which `make dialect` makes of the
/// dialect's table and its calls, and which the tests hold to the table of routes.
enum OpenAPIDocument {
    /// - Parameter version: the daemon's, which the file leaves open.
    static func json(version: String) -> JSONValue {
        // The tests read it completely.
        guard let file = EmbeddedFiles.file(named: "openapi.json"),
            var document = (try? JSONValue(parsing: file.content))?.objectValue,
            var info = document["info"]?.objectValue
        else { return [:] }
        info["version"] = .string(version)
        document["info"] = .object(info)
        return .object(document)
    }
}
