import SDJSON
import Testing

@Suite struct JSONWriterTests {
    @Test func prettyLayoutIsWireMocks() throws {
        let value = try JSONValue(
            parsing: """
                {"mappings":[{"id":"x","request":{"headers":{"A":{"equalTo":"b"}}},"list":[1,2,[3]],"none":{},"empty":[]},
                {"a":null}],"meta":{"total":2},"matrix":[[],[{}],[{"a":[{"b":true}]}]]}
                """)
        #expect(
            value.prettyText == """
                {
                  "mappings" : [ {
                    "id" : "x",
                    "request" : {
                      "headers" : {
                        "A" : {
                          "equalTo" : "b"
                        }
                      }
                    },
                    "list" : [ 1, 2, [ 3 ] ],
                    "none" : { },
                    "empty" : [ ]
                  }, {
                    "a" : null
                  } ],
                  "meta" : {
                    "total" : 2
                  },
                  "matrix" : [ [ ], [ { } ], [ {
                    "a" : [ {
                      "b" : true
                    } ]
                  } ] ]
                }
                """)
    }

    @Test func escapesOnlyWhatMustBeEscaped() {
        let value: JSONValue = "a/\"\\\u{1}\u{1F}\u{7F}\n\té\u{2028}😀"
        #expect(value.compactText == "\"a/\\\"\\\\\\u0001\\u001F\u{7F}\\n\\té\u{2028}😀\"")
    }

    /// Texts are looked at sixteen bytes at a time: at each place and next to each other.
    @Test(arguments: ["\"", "\\", "\u{0}", "\u{1F}", "\u{7F}", "é", "😀", "\n\n"]) func anEscapeIsFoundAtEachPlace(
        special: String
    ) {
        let escaped = JSONValue.string(special).compactText.dropFirst().dropLast()
        for before in 0..<40 {
            let (head, tail) = (String(repeating: "a", count: before), String(repeating: "é", count: 40 - before))
            #expect(JSONValue.string(head + special + tail).compactText == "\"\(head)\(escaped)\(tail)\"")
            #expect(JSONValue.string(head + special).compactText == "\"\(head)\(escaped)\"")
        }
    }

    @Test func scalarsStandAlone() {
        #expect(JSONValue.null.prettyText == "null")
        #expect(JSONValue.bool(true).compactText == "true")
        #expect(JSONValue.object([:]).prettyText == "{ }")
        #expect(JSONValue.array([]).compactText == "[]")
    }
}
