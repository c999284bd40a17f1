package import SDJSON

extension OpenAPISettings {
    /// The settings of a document without its own in any file.
    public init(
        file: String, prefix: String? = nil, validate: Check? = nil, answers: OpenAPIAnswer.Source? = nil,
        items: Int? = nil, callbacks: Bool? = nil
    ) {
        self.init()
        self.file = file
        self.prefix = prefix
        self.validate = validate
        self.answers = answers
        self.items = items
        self.callbacks = callbacks
    }

    /// Reads a file name, or an object.
    package static func readDocument(_ value: JSONValue, _ reader: inout ModelReader) -> OpenAPISettings? {
        guard case .string = value else { return read(value, &reader) }
        let known = reader.problems.count
        let file = readFile(value, &reader)
        return reader.problems.count == known ? OpenAPISettings(file: file) : nil
    }

    static func readFile(_ value: JSONValue, _ reader: inout ModelReader) -> String {
        let expected = "the path of a file beside this one or below, such as openapi.yaml"
        guard let name = value.stringValue, !name.isEmpty else {
            reader.refuse("not a file name", expected: expected, found: value.shortDescription)
            return ""
        }
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        guard !name.hasPrefix("/"), !parts.contains(".."), !name.contains("\\"), !name.contains("\0") else {
            reader.refuse("not a file name", expected: expected + ", without ..", found: value.shortDescription)
            return ""
        }
        return parts.filter { $0 != "." && !$0.isEmpty }.joined(separator: "/")
    }

    static func readPrefix(_ value: JSONValue, _ reader: inout ModelReader) -> String? {
        guard let text = value.stringValue, text.isEmpty || text.hasPrefix("/"),
            !text.contains(where: { "?#".contains($0) })
        else {
            reader.refuse("not a path", expected: "a path such as /v1, or \"\"", found: value.shortDescription)
            return nil
        }
        var path = text
        while path.hasSuffix("/") { path.removeLast() }
        return path
    }
}
