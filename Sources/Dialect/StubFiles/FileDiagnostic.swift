public import JSON
import StubModel

/// Something to say to the author of a stub file.
public struct FileDiagnostic: Error, Sendable, Hashable {
    public enum Severity: String, Sendable, Hashable {
        /// The file's stubs cannot be used.
        case error
        /// The stubs can be used, and do probably not do what the author thinks.
        case warning
    }

    public var severity: Severity
    public var file: String
    /// Nil if the file as a whole is meant.
    public var position: TextPosition?
    /// Where in the document; empty for the whole of it, and for texts that are neither JSON nor YAML.
    public var pointer: JSONPointer
    /// One sentence without a full stop.
    public var message: String
    /// What is valid there, in words.
    public var expected: String?
    /// What stands there, in words.
    public var found: String?
    /// The valid name that is most like the one found.
    public var suggestion: String?

    public init(
        severity: Severity, file: String, position: TextPosition?, pointer: JSONPointer = .root, message: String,
        expected: String? = nil, found: String? = nil, suggestion: String? = nil
    ) {
        self.severity = severity
        self.file = file
        self.position = position
        self.pointer = pointer
        self.message = message
        self.expected = expected
        self.found = found
        self.suggestion = suggestion
    }

    init(_ problem: ModelProblem, severity: Severity, file: String, _ map: SourceMap) {
        let position =
            problem.isAboutName ? map.position(ofKeyAt: problem.place) : map.position(ofValueAt: problem.place)
        self.init(
            severity: severity, file: file, position: position ?? TextPosition(line: 1, column: 1, offset: 0),
            pointer: problem.place, message: problem.message, expected: problem.expected, found: problem.found,
            suggestion: problem.suggestion)
    }

    public var line: Int? { position?.line }
    public var column: Int? { position?.column }
}

extension FileDiagnostic: CustomStringConvertible {
    /// As compilers have it, one line: `mocks/dogs.yaml:12:5: error: request.urll: unknown field "urll"; …`.
    public var description: String {
        var text = file
        if let position { text += ":\(position.line):\(position.column)" }
        text += ": \(severity.rawValue): "
        if !pointer.tokens.isEmpty { text += pointer.keyPath + ": " }
        text += message
        switch (expected, found) {
        case (let expected?, let found?): text += "; expected \(expected), found \(found)"
        case (let expected?, nil): text += "; expected \(expected)"
        case (nil, let found?): text += "; found \(found)"
        case (nil, nil): break
        }
        if let suggestion { text += "; did you mean \"\(suggestion)\"?" }
        return text.split(whereSeparator: \.isNewline).joined(separator: " ")
    }

    /// For programs: absent members omitted.
    public var json: JSONValue {
        var object = JSONObject()
        object["severity"] = .string(severity.rawValue)
        object["file"] = .string(file)
        object["line"] = position.map { .number(JSONNumber($0.line)) }
        object["column"] = position.map { .number(JSONNumber($0.column)) }
        object["pointer"] = .string(pointer.text)
        object["keyPath"] = .string(pointer.keyPath)
        object["message"] = .string(message)
        object["expected"] = expected.map(JSONValue.string)
        object["found"] = found.map(JSONValue.string)
        object["suggestion"] = suggestion.map(JSONValue.string)
        return .object(object)
    }
}

extension [FileDiagnostic] {
    /// From the top of the file to its end.
    var inFileOrder: [FileDiagnostic] {
        enumerated().sorted { left, right in
            let leftOffset = left.element.position?.offset ?? 0
            let rightOffset = right.element.position?.offset ?? 0
            return leftOffset == rightOffset ? left.offset < right.offset : leftOffset < rightOffset
        }.map(\.element)
    }
}
