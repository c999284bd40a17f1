import SDJSON
import Testing

@Suite struct RepeatedKeyTests {
    /// Each repeated key as `pointer first-line:column line:column`.
    private func repeated(_ text: String) throws -> [String] {
        var keys: [RepeatedKey] = []
        var outline = DocumentOutline()
        _ = try JSONValue(parsing: Array(text.utf8), dialect: .lenient, outline: &outline, repeatedKeys: &keys)
        return keys.map { key in
            "\(key.pointer.text) \(key.first.line):\(key.first.column) \(key.position.line):\(key.position.column)"
        }
    }

    @Test(
        arguments: [
            ("{}", []), (#"{"a": {"b": 1}, "b": [{"b": 1}, {"b": 2}]}"#, []),
            (#"{"a": 1, "a": 2}"#, ["/a 1:2 1:10"]),
            ("{\n  \"a\": 1,\n  // again\n  'a': 2,\n  \"a\": 3\n}", ["/a 2:3 4:3", "/a 2:3 5:3"]),
            (#"{"a": 1, "\u0061": 2}"#, ["/a 1:2 1:10"]),
            (#"[{"x": {"ä": 1, "ä": 2}}]"#, ["/0/x/ä 1:9 1:17"]),
            (#"{"a": {"b": 1, "b": 2}, "a": {"c": 1, "c": 2}}"#, ["/a/b 1:8 1:16", "/a 1:2 1:25", "/a/c 1:31 1:39"]),
            ("{\"\u{E9}\": 1, \"e\u{301}\": 2}", []),
        ] as [(String, [String])])
    func eachRepeatIsPlacedBesideTheFirst(text: String, expected: [String]) throws {
        #expect(try repeated(text) == expected)
    }

    @Test func theLastOfEqualKeysCounts() throws {
        var keys: [RepeatedKey] = []
        var outline = DocumentOutline()
        let value = try JSONValue(parsing: Array(#"{"a": 1, "a": 2}"#.utf8), outline: &outline, repeatedKeys: &keys)
        #expect(value == ["a": 2])
    }

    /// An object with more than sixteen members finds its keys by hash.
    @Test func repeatsOfLargeObjectsAreFound() throws {
        let members = (0..<40).map { #""k\#($0)": 0"# }.joined(separator: ", ")
        #expect(try repeated("{\(members), \"k7\": 1}").count == 1)
    }
}
