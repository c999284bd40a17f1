package import SDJSON

extension OpenAPIAnswer {
    private static let expected = "an operation such as listPets, or {operation: listPets, code: 404}"

    /// Reads an operation, or an object.
    static func read(_ value: JSONValue, _ reader: inout ModelReader) -> OpenAPIAnswer? {
        switch value {
        case .null: return nil
        case .object(let object):
            var answer = OpenAPIAnswer()
            let known = reader.problems.count
            answer.readMembers(of: object, &reader)
            guard reader.problems.count == known, object["operation"] == nil else { return answer }
            reader.refuse("the operation is missing", expected: expected, found: nil)
            return answer
        default: return reader.name(value, of: "an operation", expected: expected).map { OpenAPIAnswer($0) }
        }
    }

    /// The operation alone, if there are no other members.
    package var json: JSONValue { members.count == 1 ? operation.json : .object(members) }
}
