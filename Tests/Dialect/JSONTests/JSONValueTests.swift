import SDJSON
import Testing

@Suite struct JSONValueTests {
    @Test func memberOrderIsIrrelevantToEquality() {
        let left: JSONObject = ["a": 1, "b": [1, 2]]
        let right: JSONObject = ["b": [1, 2], "a": 1]
        #expect(left == right)
        #expect(left.hashValue == right.hashValue)
        #expect(left.members != right.members)
        #expect(left != ["a": 1])
        #expect(left != ["a": 1, "c": [1, 2]])
        #expect(JSONValue.array([1, 2]) != [2, 1])
    }

    @Test func objectsWithManyMembersStayConsistent() {
        var object = JSONObject()
        for number in 0..<40 { object["k\(number)"] = .number(JSONNumber(number)) }
        object["k7"] = nil
        object["k39"] = "last"
        object["new"] = true
        #expect(object.count == 40)
        #expect(object["k7"] == nil)
        #expect(object["k8"] == 8)
        #expect(object["k39"] == "last")
        #expect(object["new"] == true)
        #expect(object.keys.prefix(8) == ["k0", "k1", "k2", "k3", "k4", "k5", "k6", "k8"])
    }

    @Test(
        arguments: [
            ("1", 1), ("-7", -7), ("1.0", 1), ("1e2", 100), ("30e-1", 3), ("-0", 0), ("0.000e99", 0),
            ("9223372036854775807", Int.max), ("-9223372036854775808", Int.min), ("9223372036854775808", nil),
            ("1.5", nil), ("1e400", nil), ("1e99999999999999999999", nil), ("1e-9223372036854775808", nil),
        ] as [(String, Int?)])
    func integersAreExact(text: String, expected: Int?) {
        #expect(JSONNumber(validText: text).intValue == expected)
    }

    @Test(arguments: [
        (1.0, "1.0"), (-2.5, "-2.5"), (1e21, "1000000000000000000000.0"), (1.5e-7, "0.00000015"), (0.1, "0.1"),
        (-1.25e20, "-125000000000000000000.0"),
    ])
    func doublesAreWrittenPlainly(value: Double, text: String) {
        #expect(JSONNumber(value)?.text == text)
        #expect(JSONNumber(text: text)?.doubleValue == value)
    }

    @Test func infinityIsNotANumber() {
        #expect(JSONNumber(Double.infinity) == nil)
        #expect(JSONNumber(Double.nan) == nil)
    }

    @Test(arguments: ["", "-", "01", "1.", ".5", "+1", "1e", "0x1", "1 ", " 1", "NaN", "1_000"])
    func invalidNumberTextsAreRefused(text: String) {
        #expect(JSONNumber(text: text) == nil)
    }

    @Test func pointersFindValues() throws {
        let document: JSONValue = ["a/b": ["m~n": [10, 20]], "": 1]
        #expect(document[JSONPointer(["a/b", "m~n", "1"])] == 20)
        #expect(document[try #require(JSONPointer(text: "/a~1b/m~0n/0"))] == 10)
        #expect(document[try #require(JSONPointer(text: "/"))] == 1)
        #expect(document[.root] == document)
        #expect(document[JSONPointer(["a/b", "m~n", "01"])] == nil)
        #expect(document[JSONPointer(["a/b", "m~n", "2"])] == nil)
        #expect(JSONPointer(["a/b", "m~n", "1"]).text == "/a~1b/m~0n/1")
        #expect(JSONPointer(text: "a") == nil)
        #expect(JSONPointer(text: "/a~2") == nil)
    }

    @Test func keyPathsAreForPeople() {
        #expect(JSONPointer(["request", "headers", "X-A", "0"]).keyPath == "request.headers.X-A[0]")
        #expect(JSONPointer(["GET /a", "when"]).keyPath == #"["GET /a"].when"#)
    }

    @Test func sourceMapsPassOverWhatNobodyLooksFor() {
        let text = #"{"a":["}\"]",'{',/* ] */{"b":[1,{}]}],"c":[[],{"d":tru}],"e":{"f":1,"f":2},"g":}"#
        let map = SourceMap(
            scanningJSON: text.utf8,
            for: [JSONPointer(["c", "1", "d"]), JSONPointer(["e", "f"]), JSONPointer(["g"]), JSONPointer(["h"])])
        #expect(map[JSONPointer(["c", "1", "d"])]?.key?.offset == text.utf8.firstOffset(of: #""d""#))
        #expect(map[JSONPointer(["e", "f"])]?.key?.offset == text.utf8.firstOffset(of: #""f":2"#))
        #expect(map[JSONPointer(["g"])]?.value.offset == text.utf8.count - 1)
        #expect(map[JSONPointer(["h"])] == nil)
    }

    @Test func sourceMapsPlaceValuesAndNames() {
        let text = """
            {
              "request": { "urll": "/ä" }, // comment
              "list": [ 1,
                        { "a": 2 } ]
            }
            """
        let map = SourceMap(
            scanningJSON: text.utf8,
            for: [
                JSONPointer(["request", "urll"]), JSONPointer(["list", "1", "a"]),
                JSONPointer(["list", "1", "zzz", "y"]),
            ])
        #expect(
            map.position(ofKeyAt: JSONPointer(["request", "urll"])) == TextPosition(line: 2, column: 16, offset: 17))
        #expect(map[JSONPointer(["list", "1", "a"])]?.value.line == 4)
        #expect(map[JSONPointer(["list", "1", "a"])]?.value.column == 20)
        #expect(map.position(ofValueAt: JSONPointer(["list", "1", "zzz", "y"]))?.column == 13)
        #expect(map.position(ofValueAt: .root)?.line == 1)
        #expect(map[JSONPointer(["list", "0"])] == nil)
        #expect(map.line(ofKeyAt: JSONPointer(["list", "1", "a"])) == 4)
        #expect(map.line(ofKeyAt: JSONPointer(["list", "1", "zzz", "y"])) == 4)
    }
}

extension String.UTF8View {
    /// Where a text first stands.
    fileprivate func firstOffset(of text: String) -> Int? {
        let (bytes, wanted) = (Array(self), Array(text.utf8))
        return bytes.indices.first { bytes[$0...].starts(with: wanted) }
    }
}
