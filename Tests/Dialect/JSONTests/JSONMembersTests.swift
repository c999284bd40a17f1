import SDJSON
import Testing

/// Objects that are written without being values first.
@Suite struct JSONMembersTests {
    @Test func theyReadLikeValues() throws {
        let text = "a \"b\" \\ \n\u{1}é😀"
        var members = JSONMembers(behind: "data: ")
        members.add("text", text)
        members.add("number", -7)
        members.add("large", UInt64.max)
        members.add("flag", false)
        members.add("value", ["a": [1, .null]] as JSONValue)
        members.add("written", written: Array("[true]".utf8))
        let bytes = members.end(before: "\n\n")
        let value: JSONObject = [
            "text": .string(text), "number": -7, "large": .number(JSONNumber(validText: "18446744073709551615")),
            "flag": false, "value": ["a": [1, .null]], "written": [true],
        ]
        #expect(String(decoding: bytes, as: UTF8.self) == "data: \(JSONValue.object(value).compactText)\n\n")
    }

    @Test func anEmptyOneIsAnObject() {
        #expect(JSONMembers().end() == Array("{}".utf8))
    }
}
