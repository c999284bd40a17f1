public import JSON

/// The body of an admin reply that refuses: `{"errors": [{"code", "source": {"pointer"}, "title", "detail"}]}`.
public struct ErrorDocument: Sendable, Hashable {
    public struct Item: Sendable, Hashable {
        public var code: Int
        /// Which part of the request is meant: a JSON Pointer, or the name of a query parameter.
        public var pointer: String?
        public var title: String
        public var detail: String?

        public init(code: Int, pointer: String? = nil, title: String, detail: String? = nil) {
            self.code = code
            self.pointer = pointer
            self.title = title
            self.detail = detail
        }
    }

    public var errors: [Item]

    public init(_ errors: [Item]) {
        self.errors = errors
    }

    public init(code: Int, pointer: String? = nil, title: String, detail: String? = nil) {
        self.init([Item(code: code, pointer: pointer, title: title, detail: detail)])
    }

    /// The problems of a document that could be read as JSON. WireMock reports the first of them only.
    public init(_ problems: ModelProblems) {
        self.init(
            problems.problems.map { problem in
                let pointer = problem.pointer.tokens.isEmpty ? "/" : problem.pointer.text
                return Item(code: problem.code, pointer: pointer, title: problem.title, detail: problem.detail)
            })
    }

    /// A document that is no JSON. In Jackson's manner: clients look for `line: 1, column: 1`.
    public init(_ error: JSONSyntaxError) {
        let place = "\n at [Source: (String); line: \(error.line), column: \(error.column)]"
        let detail =
            if error.found == "an empty text" {
                "No content to map due to end-of-input"
            } else if let scalar = error.foundCharacter {
                "Unexpected character ('\(scalar)' (code \(scalar.value))): expected \(error.expected)" + place
            } else {
                "Unexpected \(error.found): expected \(error.expected)" + place
            }
        self.init(code: 10, pointer: "/", title: "Error parsing JSON", detail: detail)
    }

    public var json: JSONValue {
        let items = errors.map { item in
            var object = JSONObject()
            object["code"] = .number(JSONNumber(item.code))
            object["source"] = item.pointer.map { ["pointer": .string($0)] }
            object["title"] = .string(item.title)
            object["detail"] = item.detail.map(JSONValue.string)
            return JSONValue.object(object)
        }
        return ["errors": .array(items)]
    }
}
