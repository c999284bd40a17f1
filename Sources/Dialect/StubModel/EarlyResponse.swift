package import SDJSON

extension EarlyResponse {
    private static let expected = "a list such as [103], or [{status: 103, headers: {Link: …}}]"

    /// Reads a list, or a single element as a list of one.
    package static func readList(_ value: JSONValue, _ reader: inout ModelReader) -> [EarlyResponse] {
        switch value {
        case .null: return []
        case .array(let elements): return reader.elements(elements, read)
        default: return read(value, &reader).map { [$0] } ?? []
        }
    }

    private static func read(_ value: JSONValue, _ reader: inout ModelReader) -> EarlyResponse? {
        guard case .object(let object) = value else {
            return readStatus(value, &reader).map { EarlyResponse(status: $0) }
        }
        var early = EarlyResponse()
        early.readMembers(of: object, &reader)
        return early
    }

    static func readStatus(_ value: JSONValue, _ reader: inout ModelReader) -> Int? {
        if let status = value.intValue, (100...199).contains(status), status != 101 { return status }
        reader.refuse(
            "not an informational status", expected: "a status from 100 to 199 other than 101, as in \(expected)",
            found: value.shortDescription)
        return nil
    }

    package var json: JSONValue {
        headers.isEmpty ? status.json : .object(members)
    }
}
