import SDJSON
import SDStubFiles
import SDStubModel

/// The body of an admin API error: `{"errors": [{"code", "source": {"pointer"}, "title", "detail"}]}`.
struct ErrorDocument: Sendable, Hashable {
    struct Item: Sendable, Hashable {
        var code: Int
        /// The part of the request in question: a JSON Pointer, or the name of a query parameter. An empty one is
        /// written as a source without a pointer, like WireMock's for text that is not JSON.
        var pointer: String?
        var title: String
        var detail: String?

        init(code: Int, pointer: String? = nil, title: String, detail: String? = nil) {
            self.code = code
            self.pointer = pointer
            self.title = title
            self.detail = detail
        }
    }

    var errors: [Item]

    init(_ errors: [Item]) {
        self.errors = errors
    }

    init(code: Int, pointer: String? = nil, title: String, detail: String? = nil) {
        self.init([Item(code: code, pointer: pointer, title: title, detail: detail)])
    }

    /// Describes the problems of a JSON document, each in WireMock's words if those are promised, then in ours.
    /// WireMock reports only the first.
    init(_ problems: ModelProblems) {
        self.init(
            problems.problems.map { problem in
                // WireMock names a missing member without a pointer.
                if let missing = problem.pointer.tokens.last, problem.title == "\(missing) is required" {
                    return Item(code: problem.code, pointer: missing, title: problem.title)
                }
                let pointer = problem.pointer.tokens.isEmpty ? "/" : problem.pointer.text
                let detail = [problem.detail, problem.shortDescription].compactMap(\.self).joined(separator: "\n")
                return Item(code: problem.code, pointer: pointer, title: problem.title, detail: detail)
            })
    }

    /// Describes the problems of a stub file, with locations.
    init(_ diagnostics: [FileDiagnostic]) {
        self.init(
            diagnostics.map { diagnostic in
                Item(
                    code: 10, pointer: diagnostic.pointer.tokens.isEmpty ? nil : diagnostic.pointer.text,
                    title: "Error in a stub file", detail: diagnostic.description)
            })
    }

    /// Describes a document that is not JSON, with WireMock's pointer for it.
    /// - Parameter bytes: the document.
    init(_ error: JSONSyntaxError, in bytes: [UInt8]) {
        let isEmpty = JSONValue.isBlank(bytes, dialect: .lenient)
        let pointer = isEmpty ? "/" : JSONPointer(Self.visible(error.path(in: bytes))).text
        self.init(code: 10, pointer: pointer, title: "Error parsing JSON", detail: error.description)
    }

    /// Members that WireMock parses as a whole: it does not report where inside them the JSON is broken.
    private static let wholes: Set<String> = [
        "headers", "queryParameters", "formParameters", "pathParameters", "cookies", "host", "clientIp", "metadata",
        "jsonBody", "delayDistribution", "transformerParameters", "postServeActions", "serveEventListeners",
        "parameters",
    ]

    private static func visible(_ path: [String]) -> [String] {
        var visible: [String] = []
        for token in path {
            visible.append(token)
            if wholes.contains(token) || visible.dropLast().last == "bodyPatterns" { break }
        }
        return visible
    }

    var json: JSONValue {
        let items = errors.map { item in
            var object = JSONObject()
            object["code"] = number(item.code)
            object["source"] = item.pointer.map { $0.isEmpty ? [:] : ["pointer": .string($0)] }
            object["title"] = .string(item.title)
            object["detail"] = item.detail.map(JSONValue.string)
            return JSONValue.object(object)
        }
        return ["errors": .array(items)]
    }
}
