import SDBasics
import Testing

/// The words of a filter, which the journal's and the terminal's share.
@Suite struct FilterWordTests {
    @Test(arguments: [
        ("orders", "text=orders"), ("-orders", "not text=orders"), ("- a", "text=-|text=a"),
        ("path:/a -status:404", "path=/a|not status=404"), ("PATH:/A", "path=/A"), (":a", "text=:a"),
        (#""a b":c"#, "text=a b:c"), (#"path:"a b""#, "path=a b"), (#""open quote"#, "text=open quote"),
        (#"name:"a \"b\"""#, "name=a \"b\""), ("a:b:c", "a=b:c"), ("", ""), ("  \t ", ""),
        ("a\tb\u{a0}c", "text=a|text=b|text=c"),
    ])
    func aLineIsWords(line: String, words: String) {
        let found = FilterWord.all(in: line).map { word in
            (word.isNegated ? "not " : "") + (word.key ?? "text") + "=" + (word.key == nil ? word.text : word.value)
        }
        #expect(found.joined(separator: "|") == words)
    }

    @Test(
        arguments: [
            ("GET", ["GET"], nil), ("GET|PUT", ["GET", "PUT"], nil), ("get", nil, nil), ("\"GET\"", nil, nil),
            ("404", nil, [404...404]), ("4xx|503", nil, [400...499, 503...503]), ("600", nil, nil),
            ("404|GET", nil, nil),
            ("4-5", nil, nil), ("status:404", nil, nil),
        ] as [(String, [String]?, [ClosedRange<Int>]?)])
    func methodsAndStatusesStandAlone(word: String, methods: [String]?, statuses: [ClosedRange<Int>]?) throws {
        let word = try #require(FilterWord.all(in: word).first)
        #expect(word.methods == methods && word.statuses == statuses)
    }

    @Test func aFilterHasLimits() {
        let most = Array(repeating: "a", count: FilterWord.most).joined(separator: "\t")
        #expect(!FilterWord.isTooLong(most))
        #expect(FilterWord.isTooLong(most + " b"))
        #expect(FilterWord.all(in: most + " b").count == FilterWord.most)
        let long = String(repeating: "é", count: FilterWord.longest / 2)
        #expect(!FilterWord.isTooLong(long))
        #expect(FilterWord.isTooLong(long + "a"))
        #expect(FilterWord.all(in: long + " b").count == 1)
    }

    @Test(
        arguments: [
            (">500ms", 500_001...UInt64.max), (">=0.5s", 500_000...UInt64.max), ("<1ms", 0...999), ("<=1ms", 0...1_000),
            ("=2s", 2_000_000...2_000_000), ("700", 700_000...UInt64.max), ("soon", nil), ("<0", nil),
        ] as [(String, ClosedRange<UInt64>?)])
    func timesAreRanges(text: String, range: ClosedRange<UInt64>?) {
        #expect(FilterNumber.quantity(text, FilterNumber.microseconds) == range)
    }
}
