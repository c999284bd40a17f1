import SDJSON
import SDTestSupport
import Testing

/// RFC 6902: the examples of its appendix A, those of section 4, and what must not happen.
struct JSONPatchTests {
    private static func patched(_ document: String, _ patch: String) throws -> JSONValue {
        try JSONPatch(JSONValue(parsing: patch)).apply(to: JSONValue(parsing: document))
    }

    @Test(arguments: [
        // A.1 to A.8
        (#"{"foo": "bar"}"#, #"[{"op": "add", "path": "/baz", "value": "qux"}]"#, #"{"baz": "qux", "foo": "bar"}"#),
        (
            #"{"foo": ["bar", "baz"]}"#, #"[{"op": "add", "path": "/foo/1", "value": "qux"}]"#,
            #"{"foo": ["bar", "qux", "baz"]}"#
        ),
        (#"{"baz": "qux", "foo": "bar"}"#, #"[{"op": "remove", "path": "/baz"}]"#, #"{"foo": "bar"}"#),
        (#"{"foo": ["bar", "qux", "baz"]}"#, #"[{"op": "remove", "path": "/foo/1"}]"#, #"{"foo": ["bar", "baz"]}"#),
        (
            #"{"baz": "qux", "foo": "bar"}"#, #"[{"op": "replace", "path": "/baz", "value": "boo"}]"#,
            #"{"baz": "boo", "foo": "bar"}"#
        ),
        (
            #"{"foo": {"bar": "baz", "waldo": "fred"}, "qux": {"corge": "grault"}}"#,
            #"[{"op": "move", "from": "/foo/waldo", "path": "/qux/thud"}]"#,
            #"{"foo": {"bar": "baz"}, "qux": {"corge": "grault", "thud": "fred"}}"#
        ),
        (
            #"{"foo": ["all", "grass", "cows", "eat"]}"#, #"[{"op": "move", "from": "/foo/1", "path": "/foo/3"}]"#,
            #"{"foo": ["all", "cows", "eat", "grass"]}"#
        ),
        (
            #"{"baz": "qux", "foo": ["a", 2, "c"]}"#,
            #"[{"op": "test", "path": "/baz", "value": "qux"}, {"op": "test", "path": "/foo/1", "value": 2}]"#,
            #"{"baz": "qux", "foo": ["a", 2, "c"]}"#
        ),
        // A.10, A.11
        (
            #"{"foo": "bar"}"#, #"[{"op": "add", "path": "/child", "value": {"grandchild": {}}}]"#,
            #"{"foo": "bar", "child": {"grandchild": {}}}"#
        ),
        (
            #"{"foo": "bar"}"#, #"[{"op": "add", "path": "/baz", "value": "qux", "xyz": 123}]"#,
            #"{"foo": "bar", "baz": "qux"}"#
        ),
        // A.14, A.16
        (#"{"/": 9, "~1": 10}"#, #"[{"op": "test", "path": "/~01", "value": 10}]"#, #"{"/": 9, "~1": 10}"#),
        (
            #"{"foo": ["bar"]}"#, #"[{"op": "add", "path": "/foo/-", "value": ["abc", "def"]}]"#,
            #"{"foo": ["bar", ["abc", "def"]]}"#
        ),
        // The whole document, an existing member, a value moved to its own place.
        (#"{"a": 1}"#, #"[{"op": "add", "path": "", "value": [1]}]"#, "[1]"),
        (#"{"a": 1}"#, #"[{"op": "replace", "path": "", "value": 2}]"#, "2"),
        (#"{"a": 1}"#, #"[{"op": "add", "path": "/a", "value": 2}]"#, #"{"a": 2}"#),
        (#"{"a": 1}"#, #"[{"op": "move", "from": "/a", "path": "/a"}]"#, #"{"a": 1}"#),
        (#"{"a": {"b": 1}}"#, #"[{"op": "move", "from": "/a/b", "path": "/a"}]"#, #"{"a": 1}"#),
        (
            #"{"a": {"b": [1]}}"#, #"[{"op": "copy", "from": "/a", "path": "/a/b/0"}]"#,
            #"{"a": {"b": [{"b": [1]}, 1]}}"#
        ),
        (#"{"": {"": 1}}"#, #"[{"op": "replace", "path": "//", "value": 2}]"#, #"{"": {"": 2}}"#),
        // Equality: numbers by value, members in any order, texts by code points.
        (
            #"{"a": {"x": 1.0, "y": [10]}}"#, #"[{"op": "test", "path": "/a", "value": {"y": [1e1], "x": 1}}]"#,
            #"{"a": {"x": 1.0, "y": [10]}}"#
        ),
        ("{}", "[]", "{}"),
    ])
    func aPatchMakesItsDocument(document: String, patch: String, expected: String) throws {
        #expect(try Self.patched(document, patch) == JSONValue(parsing: expected))
    }

    @Test(arguments: [
        // A.9, A.12, A.15
        (#"{"baz": "qux"}"#, #"[{"op": "test", "path": "/baz", "value": "bar"}]"#, "/0/value"),
        (#"{"foo": "bar"}"#, #"[{"op": "add", "path": "/baz/bat", "value": "qux"}]"#, "/0/path"),
        (#"{"/": 9, "~1": 10}"#, #"[{"op": "test", "path": "/~01", "value": "10"}]"#, "/0/value"),
        // Places that are not there.
        (#"{"a": [1]}"#, #"[{"op": "add", "path": "/a/2", "value": 1}]"#, "/0/path"),
        (#"{"a": [1]}"#, #"[{"op": "add", "path": "/a/01", "value": 1}]"#, "/0/path"),
        (#"{"a": [1]}"#, #"[{"op": "add", "path": "/a/x", "value": 1}]"#, "/0/path"),
        (#"{"a": [1]}"#, #"[{"op": "remove", "path": "/a/-"}]"#, "/0/path"),
        (#"{"a": [1]}"#, #"[{"op": "replace", "path": "/a/1", "value": 1}]"#, "/0/path"),
        (#"{"a": 1}"#, #"[{"op": "replace", "path": "/b", "value": 1}]"#, "/0/path"),
        (#"{"a": 1}"#, #"[{"op": "remove", "path": "/a/b"}]"#, "/0/path"),
        (#"{"a": 1}"#, #"[{"op": "remove", "path": "/a"}, {"op": "remove", "path": "/a"}]"#, "/1/path"),
        (#"{"a": 1}"#, #"[{"op": "move", "from": "/b", "path": "/c"}]"#, "/0/from"),
        (#"{"a": 1}"#, #"[{"op": "copy", "from": "/b", "path": "/c"}]"#, "/0/from"),
        (#"{"a": 1}"#, #"[{"op": "test", "path": "/a", "value": true}]"#, "/0/value"),
        (#"{"a": null}"#, #"[{"op": "test", "path": "/b", "value": null}]"#, "/0/path"),
    ])
    func aPatchThatDoesNotFitIsAConflict(document: String, patch: String, place: String) throws {
        let problem = #expect(throws: JSONPatch.Problem.self) { try Self.patched(document, patch) }
        #expect(problem?.kind == .conflict)
        #expect(problem?.pointer.text == place, "\(problem?.message ?? "")")
    }

    @Test(arguments: [
        ("{}", ""), ("[1]", "/0"), ("[{}]", "/0/op"), (#"[{"op": "spin", "path": ""}]"#, "/0/op"),
        (#"[{"op": "add", "value": 1}]"#, "/0/path"), (#"[{"op": "add", "path": "a", "value": 1}]"#, "/0/path"),
        (#"[{"op": "add", "path": "/~2", "value": 1}]"#, "/0/path"), (#"[{"op": "add", "path": "/a"}]"#, "/0/value"),
        (#"[{"op": "move", "path": "/a"}]"#, "/0/from"),
        (#"[{"op": "move", "from": "/a", "path": "/a/b"}]"#, "/0/path"),
        (#"[{"op": "test", "path": "/a"}]"#, "/0/value"),
    ])
    func whatIsNoPatchIsToldWithItsPlace(patch: String, place: String) throws {
        let problem = #expect(throws: JSONPatch.Problem.self) { try Self.patched("{}", patch) }
        #expect(problem?.kind == .malformed)
        #expect(problem?.pointer.text == place, "\(problem?.message ?? "")")
    }

    @Test func aFailedPatchChangesNothing() throws {
        let document = try JSONValue(parsing: #"{"a": [1, {"b": 2}]}"#)
        let patch = try JSONPatch(
            JSONValue(
                parsing:
                    #"[{"op": "remove", "path": "/a/0"}, {"op": "add", "path": "/a/0/c", "value": 1}, {"op": "remove", "path": "/x"}]"#
            ))
        #expect(throws: JSONPatch.Problem.self) { try patch.apply(to: document) }
        #expect(document == ["a": [1, ["b": 2]]])
    }

    @Test func membersKeepTheirPlaces() throws {
        let patched = try Self.patched(
            #"{"a": 1, "b": {"x": 1}, "c": 3}"#, #"[{"op": "replace", "path": "/b/x", "value": 2}]"#)
        #expect(patched.compactText == #"{"a":1,"b":{"x":2},"c":3}"#)
    }

    /// A document that is copied into itself doubles with each operation.
    @Test func aPatchCannotGrowWithoutEnd() throws {
        let doubling = (0..<60).map { #"{"op": "copy", "from": "", "path": "/\#($0)"}"# }.joined(separator: ",")
        let problem = #expect(throws: JSONPatch.Problem.self) { try Self.patched("{}", "[\(doubling)]") }
        #expect(problem?.kind == .tooLarge)
    }

    @Test func aPatchCannotNestWithoutEnd() throws {
        let nesting = (0..<600).map { _ in
            #"{"op": "copy", "from": "/a", "path": "/b"}, {"op": "replace", "path": "/a", "value": {}}, {"op": "move", "from": "/b", "path": "/a/b"}"#
        }.joined(separator: ",")
        let problem = #expect(throws: JSONPatch.Problem.self) { try Self.patched(#"{"a": {}}"#, "[\(nesting)]") }
        #expect(problem?.kind == .tooLarge)
    }

    @Test func aPatchDrawsFromItsCallersBudget() throws {
        let patch = try JSONPatch(JSONValue(parsing: #"[{"op": "add", "path": "/a", "value": 1}]"#))
        let problem = #expect(throws: JSONPatch.Problem.self) { try patch.apply(to: [:]) { _ in false } }
        #expect(problem?.kind == .tooCostly)
    }
}

/// RFC 7396, appendix A.
struct JSONMergePatchTests {
    @Test(arguments: [
        (#"{"a":"b"}"#, #"{"a":"c"}"#, #"{"a":"c"}"#), (#"{"a":"b"}"#, #"{"b":"c"}"#, #"{"a":"b","b":"c"}"#),
        (#"{"a":"b"}"#, #"{"a":null}"#, "{}"), (#"{"a":"b","b":"c"}"#, #"{"a":null}"#, #"{"b":"c"}"#),
        (#"{"a":["b"]}"#, #"{"a":"c"}"#, #"{"a":"c"}"#), (#"{"a":"c"}"#, #"{"a":["b"]}"#, #"{"a":["b"]}"#),
        (#"{"a":{"b":"c"}}"#, #"{"a":{"b":"d","c":null}}"#, #"{"a":{"b":"d"}}"#),
        (#"{"a":[{"b":"c"}]}"#, #"{"a":[1]}"#, #"{"a":[1]}"#), (#"["a","b"]"#, #"["c","d"]"#, #"["c","d"]"#),
        (#"{"a":"b"}"#, #"["c"]"#, #"["c"]"#), (#"{"a":"foo"}"#, "null", "null"),
        (#"{"a":"foo"}"#, #""bar""#, #""bar""#),
        (#"{"e":null}"#, #"{"a":1}"#, #"{"e":null,"a":1}"#), ("[1,2]", #"{"a":"b","c":null}"#, #"{"a":"b"}"#),
        ("{}", #"{"a":{"bb":{"ccc":null}}}"#, #"{"a":{"bb":{}}}"#),
    ])
    func aMergePatchMakesItsDocument(document: String, patch: String, expected: String) throws {
        let merged = try JSONValue(parsing: document).merged(with: JSONValue(parsing: patch))
        #expect(merged.compactText == expected)
    }
}
