import SDJSON
import SDPlatform
import SDRecords
import Testing

/// The parameters of json-server 0.17, and those of json-server 1 that differ without a conflict.
struct RecordQueryTests {
    static let posts = try! RecordSet(
        JSONValue(
            parsing: #"""
                [
                  {"id": 1, "title": "Alpha", "views": 100, "draft": false, "author": {"name": "Ada"}, "tags": ["a", "b"]},
                  {"id": 2, "title": "beta", "views": 9, "draft": true, "author": {"name": "Bob"}, "tags": ["b"]},
                  {"id": 3, "title": "Gamma", "views": 20.0, "author": {"name": "Ada"}, "note": null},
                  {"id": 4, "title": "alphabet", "views": 100, "author": {"name": "Cem"}, "a.b": "x"},
                  {"id": 5, "title": "Ärger", "views": -1, "author": {}}
                ]
                """#), name: "posts", key: "id")

    /// The parameters of a query without escapes.
    static func query(_ text: String) throws(QueryProblem) -> RecordQuery {
        try RecordQuery(
            text.split(separator: "&").map { pair in
                let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                return (String(parts[0]), parts.count > 1 ? String(parts[1]) : "")
            })
    }

    static func keys(_ text: String) throws -> String {
        try query(text).run(on: posts, WorkBudget()).records.map(\.key).joined(separator: " ")
    }

    @Test(arguments: [
        ("", "1 2 3 4 5"),
        // Equality: by text, numbers by value, several values are alternatives, several fields are all needed.
        ("title=beta", "2"), ("title=Beta", ""), ("views=100", "1 4"), ("views=20", "3"), ("views=100.0", "1 4"),
        ("id=1&id=3", "1 3"), ("views=100&title=Alpha", "1"), ("draft=true", "2"), ("draft=false", "1"),
        ("tags=a,b", "1"), ("tags=b", "2"), ("note=null", ""), ("id=", ""),
        // Nested fields.
        ("author.name=Ada", "1 3"), ("author.name=Ada&id_ne=1", "3"), ("tags[0]=b", "2"), ("tags.1=b", "1"),
        ("a.b=x", "4"),
        // A field that no record has is ignored.
        ("color=red", "1 2 3 4 5"), ("color=red&id=2", "2"), ("_=1700000000", "1 2 3 4 5"),
        // Comparisons. A record without the field does not take part.
        ("views_gte=20", "1 3 4"), ("views_lte=20", "2 3 5"), ("views_gt=20", "1 4"), ("views_lt=20", "2 5"),
        ("views_gte=9&views_lte=20", "2 3"), ("views_gte=x", ""), ("views_gte=-1", "1 2 3 4 5"), ("draft_gte=0", ""),
        ("title_gte=a", "2 4 5"), ("title_lt=B", "1"), ("id_ne=1", "2 3 4 5"), ("id_ne=1&id_ne=2", "3 4 5"),
        ("draft_ne=true", "1"), ("color_ne=red", ""), ("author.name_ne=Ada", "2 4"),
        // As json-server 1 has them.
        ("views:gte=20", "1 3 4"), ("views:lte=20", "2 3 5"), ("views:gt=20", "1 4"), ("views:lt=20", "2 5"),
        ("id:ne=1", "2 3 4 5"), ("title:eq=beta", "2"), ("id:in=1,3", "1 3"), ("title:contains=PHA", "1 4"),
        ("title:startsWith=al", "1 4"), ("title:contains=.", ""), ("title:contains=\\E", ""),
        ("title:endsWith=A", "1 2 3"), ("author.name:eq=Ada", "1 3"),
        ("color:eq=red", "1 2 3 4 5"), ("color:in=red", "1 2 3 4 5"),
        // Expressions, without regard to case.
        ("title_like=alpha", "1 4"), ("title_like=^alpha$", "1"), ("title_like=[mg]a$", "3"), ("views_like=00", "1 4"),
        ("title_like=^a&title_like=^b", "1 2 4"),
        // Texts anywhere.
        ("q=ADA", "1 3"), ("q=alpha", "1 4"), ("q=100", "1 4"), ("q=ärg", "5"), ("q=true", "2"), ("q=", "1 2 3 4 5"),
        ("q=name", ""),
    ])
    func filtersSelect(query: String, expected: String) throws {
        #expect(try Self.keys(query) == expected)
    }

    @Test(arguments: [
        ("_sort=views", "5 2 3 1 4"), ("_sort=views&_order=desc", "1 4 3 2 5"), ("_sort=-views", "1 4 3 2 5"),
        ("_sort=-views&_order=desc", "5 2 3 1 4"), ("_sort=views,title&_order=desc,desc", "4 1 3 2 5"),
        ("_sort=-views,-title", "4 1 3 2 5"), ("_sort=views&_order=DESC", "1 4 3 2 5"),
        ("_sort=title", "1 3 4 2 5"), ("_sort=author.name", "1 3 2 4 5"),
        ("_sort=author.name&_order=desc", "5 4 2 1 3"),
        // What is missing comes last, or first in a descending order; equal records keep their order.
        ("_sort=draft", "1 2 3 4 5"), ("_sort=draft&_order=desc", "3 4 5 2 1"), ("_sort=color", "1 2 3 4 5"),
        ("_sort=", "1 2 3 4 5"), ("_sort=views&views_gte=20", "3 1 4"),
    ])
    func listsAreSorted(query: String, expected: String) throws {
        #expect(try Self.keys(query) == expected)
    }

    @Test(arguments: [
        ("_page=1", "1 2 3 4 5", 1, 1), ("_page=1&_limit=2", "1 2", 1, 3), ("_page=3&_limit=2", "5", 3, 3),
        ("_page=4&_limit=2", "", 4, 3), ("_page=&_limit=", "1 2 3 4 5", 1, 1),
        ("_page=2&_limit=2&_sort=-id", "3 2", 2, 3), ("_page=2&_per_page=2", "3 4", 2, 3),
        ("_page=9&_per_page=2", "5", 3, 3), ("_per_page=4", "1 2 3 4", 1, 2),
        ("_page=1&_limit=2&views=100", "1 4", 1, 1),
        ("_page=99999999999999999999&_limit=99999999999999999999", "", .max, 1),
    ])
    func listsComeInPages(query: String, expected: String, current: Int, pages: Int) throws {
        let page = try Self.query(query).run(on: Self.posts, WorkBudget())
        #expect(page.records.map(\.key).joined(separator: " ") == expected)
        #expect(page.place?.current == current)
        #expect(page.place?.pages == pages)
        #expect(page.place?.isWrapped == query.contains("_per_page"))
    }

    @Test(arguments: [
        ("_limit=2", "1 2"), ("_start=3", "4 5"), ("_start=1&_end=3", "2 3"), ("_end=2", "1 2"),
        ("_start=1&_limit=2", "2 3"), ("_start=9&_limit=2", ""), ("_start=3&_end=1", ""), ("_limit=0", ""),
        ("_start=&_limit=1", "1"), ("_end=99999999999999999999", "1 2 3 4 5"),
        ("_start=9223372036854775807&_limit=9223372036854775807", ""),
        ("_embed=comments&_expand=user", "1 2 3 4 5"),
    ])
    func listsAreCut(query: String, expected: String) throws {
        let page = try Self.query(query).run(on: Self.posts, WorkBudget())
        #expect(page.records.map(\.key).joined(separator: " ") == expected)
        #expect(page.total == 5)
        #expect(page.place == nil)
    }

    @Test(arguments: [
        ("title_like=(", "title_like"),
        ("_limit=abc", "_limit"), ("_limit=-1", "_limit"), ("_limit=2.5", "_limit"), ("_limit=10abc", "_limit"),
        ("_page=0", "_page"), ("_page=x&_limit=y", "_page"), ("_per_page=0", "_per_page"), ("_start=-5", "_start"),
        ("_end=x", "_end"), ("_sort=views&_order=descending", "_order"), ("_sort=views&_order=desc,up", "_order"),
        ("_order=desc", "_order"), ("_where={}", "_where"),
    ])
    func whatCannotBeServedIsNamed(query: String, parameter: String) {
        let problem = #expect(throws: QueryProblem.self) { try Self.query(query) }
        #expect(problem?.parameter == parameter)
    }

    @Test func theNearestOrderIsNamed() {
        let problem = #expect(throws: QueryProblem.self) { try Self.query("_sort=views&_order=descending") }
        #expect(problem?.reason == #"neither asc nor desc, but "descending"; did you mean "desc"?"#)
    }

    @Test(arguments: ["title=x", "q=x", "_sort=n", "title_like=(a+)+$"])
    func aListEndsWithItsBudget(query: String) throws {
        let records = RecordSet(
            (0..<2_000).map {
                Record(
                    [
                        "id": .number(JSONNumber($0)), "n": "x",
                        "title": .string(String(repeating: "a", count: 60) + "b"),
                    ], key: String($0))
            })
        let budget = WorkBudget(limit: 1)
        #expect(throws: RecordQuery.Spent.self) { try Self.query(query).run(on: records, budget) }
    }
}
