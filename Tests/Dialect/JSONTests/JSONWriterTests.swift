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

    @Test func scalarsStandAlone() {
        #expect(JSONValue.null.prettyText == "null")
        #expect(JSONValue.bool(true).compactText == "true")
        #expect(JSONValue.object([:]).prettyText == "{ }")
        #expect(JSONValue.array([]).compactText == "[]")
    }
}
