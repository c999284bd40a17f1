public import SDJSON
import SDStubFiles

/// The text of a file with a JSON document. It may be written in YAML or, if it is a list of flat objects, as
/// comma-separated values.
public struct DataText: Sendable {
    let bytes: [UInt8]
    let format: Format

    enum Format: Sendable {
        case json, yaml, csv
    }

    /// - Parameter path: the name of the file; an unknown extension means JSON.
    public init(_ bytes: [UInt8], path: String) {
        self.bytes = bytes
        format =
            switch DocumentFormat(path: path) {
            case .json: .json
            case .yaml: .yaml
            case nil: path.lowercased().hasSuffix(".csv") ? .csv : .json
            }
    }

    /// The document.
    /// - Throws: what is wrong with the text, with its position.
    public func json() throws(DataProblem) -> JSONValue {
        if format == .csv { return try CSVText(bytes).json }
        guard format == .yaml else {
            do throws(JSONSyntaxError) {
                return try JSONValue(parsing: bytes, dialect: .lenient)
            } catch {
                throw DataProblem(
                    position: error.position, message: "not valid JSON", expected: error.expected, found: error.found)
            }
        }
        do throws(YAMLError) {
            return try JSONValue(parsingYAML: bytes)
        } catch {
            throw DataProblem(
                position: error.position, message: "not valid YAML: \(error.message)", expected: error.expected,
                found: error.found)
        }
    }

    /// The position of a value of the document, or of its nearest enclosing value.
    public func position(of pointer: JSONPointer) -> TextPosition {
        if format == .csv, let text = try? CSVText(bytes) { return text.position(of: pointer) }
        let map = SourceMap(scanning: bytes, as: format == .yaml ? .yaml : .json, for: [pointer])
        return map.position(ofValueAt: pointer) ?? pointer.parent.flatMap { map.position(ofValueAt: $0) }
            ?? TextPosition(line: 1, column: 1, offset: 0)
    }
}
