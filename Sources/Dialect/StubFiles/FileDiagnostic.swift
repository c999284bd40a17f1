import SDBasics
public import SDJSON
package import SDStubModel

/// A message to the author of a stub file.
public struct FileDiagnostic: Error, Sendable, Hashable {
    public enum Severity: String, Sendable, Hashable {
        /// An error: the file's stubs cannot be used.
        case error
        /// A warning: the stubs are valid but probably do not do what the author intended.
        case warning
    }

    public var severity: Severity
    public var file: String
    /// The position in the file; nil for the whole file.
    public var position: TextPosition?
    /// The pointer in the document; empty for the whole document, and for texts that are neither JSON nor YAML.
    public var pointer: JSONPointer
    /// The message: a sentence without a full stop.
    public var message: String
    /// What is valid there.
    public var expected: String?
    /// What was found there.
    public var found: String?
    /// The valid name nearest to the one found.
    public var suggestion: String?
    /// The stable code of the check that found it; nil for problems found while reading.
    package var check: String?

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
        check = problem.check
    }

    /// Locates problems of a document in its text.
    package static func placing(
        _ problems: [ModelProblem], _ severity: Severity, in text: [UInt8], named file: String
    ) -> [FileDiagnostic] {
        guard let format = StubFile.Format(path: file) else {
            return problems.map {
                FileDiagnostic(
                    severity: severity, file: file, position: nil, pointer: $0.place, message: $0.message,
                    expected: $0.expected, found: $0.found, suggestion: $0.suggestion)
            }
        }
        let map = SourceMap(scanning: text, as: format, for: problems.map(\.place))
        return problems.map { FileDiagnostic($0, severity: severity, file: file, map) }
    }

    public var line: Int? { position?.line }
    public var column: Int? { position?.column }

    /// The suggested fix.
    public var fix: String {
        guard let line else {
            return expected.map { "give \(file) \($0)" } ?? "name another file or folder in place of \(file)"
        }
        let place = "\(file):\(line)"
        if let suggestion { return "write \(suggestion) at \(place)" }
        return expected == nil ? "change \(place)" : "write what is expected at \(place)"
    }
}

extension FileDiagnostic: CustomStringConvertible {
    /// The diagnostic on one line, in the format of compilers:
    /// `mocks/dogs.yaml:12:5: error: request.urll: unknown field "urll"; …`.
    public var description: String {
        var text = file
        if let position { text += ":\(position.line):\(position.column)" }
        text += ": \(severity.rawValue): "
        if !pointer.tokens.isEmpty { text += pointer.keyPath + ": " }
        text += message + expecting(expected, found: found, meaning: suggestion)
        return text.split(whereSeparator: \.isNewline).joined(separator: " ")
    }

    /// The diagnostic as JSON, without nil members.
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
    /// The diagnostics sorted by file and position.
    public var inFolderOrder: [FileDiagnostic] {
        if count < 2 { return self }
        return [String: [FileDiagnostic]](grouping: self, by: \.file).sorted { $0.key < $1.key }
            .flatMap(\.value.inFileOrder)
    }

    /// The diagnostics sorted by position.
    public var inFileOrder: [FileDiagnostic] {
        enumerated().sorted { left, right in
            let leftOffset = left.element.position?.offset ?? 0
            let rightOffset = right.element.position?.offset ?? 0
            return leftOffset == rightOffset ? left.offset < right.offset : leftOffset < rightOffset
        }.map(\.element)
    }
}
