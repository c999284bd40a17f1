import SDCapture
import SDJSON
import SDRecording
import SDSecrets
import SDStubFiles
import SDStubModel

/// A recording as the files that `stuntdouble record` writes: YAML routes, large bodies in files, secrets as
/// placeholders.
struct RecordedFiles {
    let json: JSONValue

    /// - Parameter names: the names of secrets.
    init(_ exchanges: [RecordedExchange], _ names: SecretNames) {
        let whole = exchanges.filter { $0.missingBytes == 0 && $0.missingRequestBytes == 0 }
        let redacted = RedactedExchanges(whole, names)
        let routes = RecordedRoutes(of: redacted.exchanges, names, RecordedRoutes.Options())
        var files: [JSONValue] = []
        if !routes.stubs.isEmpty {
            files.append(["path": "recorded.yaml", "text": .string(StubFileText.yaml(routes.stubs))])
        }
        files += routes.bodyFiles.map {
            ["path": .string("__files/" + $0.name), "base64": .string(Base64.encode($0.bytes))]
        }
        json = [
            "files": .array(files), "secrets": .number(JSONNumber(redacted.count)),
            "leftOut": .number(JSONNumber(exchanges.count - whole.count)),
        ]
    }

    /// Whether a call asks for files: `format=files`.
    /// - Throws: 400 for another format.
    static func areWanted(by call: AdminCall) throws(AdminError) -> Bool {
        switch call.query["format"] {
        case nil, "": return false
        case "files": return true
        case let format?:
            let title = "Query parameter format value '\(format)' is not files"
            throw AdminError(400, ErrorDocument(code: 10, pointer: "format", title: title))
        }
    }
}
