import SDContracts
import Testing

/// Tables of parameters, what is sent, and what is wrong with it.
struct ParameterViolationTests {
    typealias Case = (parameter: String, sent: String, violations: [String])

    private static let query: [Case] = [
        ("{name: n, in: query, schema: {type: integer, minimum: 1}}", "n=5", []),
        ("{name: n, in: query, schema: {type: integer, minimum: 1}}", "", []),
        ("{name: n, in: query, schema: {type: integer, minimum: 1}}", "n=0", ["query n minimum"]),
        ("{name: n, in: query, schema: {type: integer}}", "n=abc", ["query n type"]),
        ("{name: n, in: query, schema: {type: integer}}", "n=1.5", ["query n type"]),
        ("{name: n, in: query, schema: {type: integer}}", "n=", ["query n type"]),
        ("{name: n, in: query, schema: {type: integer}}", "n=1&n=2", ["query n"]),
        ("{name: n, in: query, schema: {type: integer, format: int32}}", "n=3000000000", ["query n format"]),
        ("{name: n, in: query, schema: {type: integer, format: int64}}", "n=3000000000", []),
        ("{name: n, in: query, required: true, schema: {type: string}}", "m=1", ["query n required"]),
        ("{name: n, in: query, required: true, schema: {type: string}}", "n=", []),
        ("{name: n, in: query, schema: {type: boolean}}", "n=true", []),
        ("{name: n, in: query, schema: {type: boolean}}", "n=yes", ["query n type"]),
        ("{name: n, in: query, schema: {type: string, enum: [a, b]}}", "n=c", ["query n enum"]),
        ("{name: n, in: query, schema: {enum: [1, 2]}}", "n=2", []),
        ("{name: n, in: query, schema: {type: integer, nullable: true}}", "n=", []),
        ("{name: n, in: query, schema: {type: string, pattern: '^a b$'}}", "n=a+b", []),
        ("{name: n, in: query, schema: {type: string, format: date-time}}", "n=2026-01-02T03:04:05+02:00", []),
        ("{name: n, in: query, schema: {type: string, format: date}}", "n=2026-13-01", ["query n format"]),
        ("{name: n, in: query, schema: {oneOf: [{type: integer}, {type: boolean}]}}", "n=true", []),
        ("{name: n, in: query, schema: {type: array, items: {type: integer}}}", "n=1&n=2", []),
        ("{name: n, in: query, schema: {type: array, items: {type: integer}}}", "n=1&n=x", ["query n /1 type"]),
        (
            "{name: n, in: query, schema: {type: array, maxItems: 1, items: {type: integer}}}", "n=1&n=2",
            ["query n maxItems"]
        ),
        ("{name: n, in: query, explode: false, schema: {type: array, items: {type: integer}}}", "n=1,2,3", []),
        ("{name: n, in: query, explode: false, schema: {type: array, items: {type: integer}}}", "n=1%2C2", []),
        (
            "{name: n, in: query, explode: false, schema: {type: array, items: {type: string, maxLength: 3}}}",
            "n=a%2Cb,c", []
        ),
        (
            "{name: n, in: query, explode: false, schema: {type: array, items: {type: integer}}}", "n=1,x",
            ["query n /1 type"]
        ),
        (
            "{name: n, in: query, style: pipeDelimited, explode: false, schema: {type: array, items: {type: integer}}}",
            "n=1%7C2|3", []
        ),
        (
            "{name: n, in: query, style: spaceDelimited, explode: false"
                + ", schema: {type: array, items: {type: integer}}}",
            "n=1%202+3", []
        ),
        (
            "{name: n, in: query, style: spaceDelimited, explode: false"
                + ", schema: {type: array, items: {type: integer}}}",
            "n=1%20x", ["query n /1 type"]
        ),
        (
            "{name: n, in: query, schema: {type: object, properties: {a: {type: integer}, b: {type: string}}}}",
            "a=1&b=x", []
        ),
        ("{name: n, in: query, schema: {type: object, properties: {a: {type: integer}}}}", "a=x", ["query n /a type"]),
        ("{name: n, in: query, explode: false, schema: {type: object, properties: {a: {type: integer}}}}", "n=a,1", []),
        (
            "{name: n, in: query, explode: false, schema: {type: object, properties: {a: {type: integer}}}}", "n=a",
            ["query n style"]
        ),
        (
            "{name: n, in: query, style: deepObject, schema: {type: object, properties: {a: {type: integer}}}}",
            "n[a]=1", []
        ),
        (
            "{name: n, in: query, style: deepObject, schema: {type: object, properties: {a: {type: integer}}}}",
            "n%5Ba%5D=x", ["query n /a type"]
        ),
        (
            "{name: n, in: query, style: deepObject"
                + ", schema: {type: object, properties: {a: {type: object, properties: {b: {type: array, items: {type: integer}}}}}}}",
            "n[a][b][]=1&n[a][b][]=2", []
        ),
        (
            "{name: n, in: query, style: deepObject"
                + ", schema: {type: object, required: [a], properties: {a: {type: integer}}}}",
            "n[b]=1", ["query n required"]
        ),
        (
            "{name: n, in: query, content: {application/json: {schema: {type: object, required: [a]}}}}",
            "n=%7B%22a%22:1%7D", []
        ),
        (
            "{name: n, in: query, content: {application/json: {schema: {type: object, required: [a]}}}}", "n=%7B%7D",
            ["query n required"]
        ),
        ("{name: n, in: query, content: {application/json: {schema: {type: object}}}}", "n=%7B", ["query n"]),
        ("{name: n, in: query, allowEmptyValue: true, schema: {type: integer}}", "n", []),
    ]

    @Test(arguments: query)
    func queries(item: Case) throws {
        let request = ContractRequest(method: "GET", path: "/things/1", query: item.sent)
        let violations = try contract(parameter: item.parameter).violations(request)
        #expect(violations.map(\.short) == item.violations, "\(item) \(violations.map(\.message))")
    }

    private static let paths: [Case] = [
        ("{name: id, in: path, required: true, schema: {type: integer}}", "7", []),
        ("{name: id, in: path, required: true, schema: {type: integer}}", "x", ["path id type"]),
        ("{name: id, in: path, required: true, schema: {type: string, maxLength: 3}}", "a%20b", []),
        ("{name: id, in: path, required: true, schema: {type: string, format: uuid}}", "a", ["path id format"]),
        ("{name: id, in: path, required: true, schema: {type: array, items: {type: integer}}}", "1,2", []),
        (
            "{name: id, in: path, required: true, schema: {type: array, items: {type: integer}}}", "1,b",
            ["path id /1 type"]
        ),
        ("{name: id, in: path, required: true, style: label, schema: {type: integer}}", ".7", []),
        ("{name: id, in: path, required: true, style: label, schema: {type: integer}}", "7", ["path id style"]),
        (
            "{name: id, in: path, required: true, style: label, explode: true"
                + ", schema: {type: array, items: {type: integer}}}",
            ".1.2", []
        ),
        (
            "{name: id, in: path, required: true, style: label, schema: {type: array, items: {type: integer}}}", ".1,2",
            []
        ),
        ("{name: id, in: path, required: true, style: matrix, schema: {type: integer}}", ";id=7", []),
        ("{name: id, in: path, required: true, style: matrix, schema: {type: integer}}", ";no=7", ["path id style"]),
        (
            "{name: id, in: path, required: true, style: matrix, explode: true"
                + ", schema: {type: array, items: {type: integer}}}",
            ";id=1;id=2", []
        ),
        (
            "{name: id, in: path, required: true, style: matrix, schema: {type: array, items: {type: integer}}}",
            ";id=1,x", ["path id /1 type"]
        ),
        (
            "{name: id, in: path, required: true, style: matrix, explode: true"
                + ", schema: {type: object, properties: {a: {type: integer}}}}",
            ";a=1;b=x", []
        ),
        (
            "{name: id, in: path, required: true, explode: true"
                + ", schema: {type: object, properties: {a: {type: integer}}}}",
            "a=x,b=y", ["path id /a type"]
        ),
        (
            "{name: id, in: path, required: true, schema: {type: object, properties: {a: {type: integer}}}}", "a,1,b,y",
            []
        ),
    ]

    @Test(arguments: paths)
    func segmentsOfPaths(item: Case) throws {
        let request = ContractRequest(method: "GET", path: "/things/\(item.sent)")
        let violations = try contract(parameter: item.parameter).violations(request)
        #expect(violations.map(\.short) == item.violations, "\(item) \(violations.map(\.message))")
    }

    private static let headers: [Case] = [
        ("{name: X-N, in: header, required: true, schema: {type: integer}}", "x-n: 5", []),
        ("{name: X-N, in: header, required: true, schema: {type: integer}}", "x-n: a", ["header X-N type"]),
        ("{name: X-N, in: header, required: true, schema: {type: integer}}", "X-M: a", ["header X-N required"]),
        ("{name: X-N, in: header, schema: {type: array, items: {type: integer}}}", "X-N: 1, 2,3", []),
        ("{name: X-N, in: header, schema: {type: array, items: {type: integer}}}", "X-N: 1, b", ["header X-N /1 type"]),
        (
            "{name: X-N, in: header, explode: true, schema: {type: object, properties: {a: {type: integer}}}}",
            "X-N: a=b", ["header X-N /a type"]
        ),
        ("{name: Accept, in: header, required: true, schema: {type: integer}}", "X-M: a", []),
        ("{name: c, in: cookie, required: true, schema: {type: integer}}", "Cookie: a=1; c=2", []),
        ("{name: c, in: cookie, required: true, schema: {type: integer}}", "Cookie: a=1", ["cookie c required"]),
        ("{name: c, in: cookie, schema: {type: integer}}", "Cookie: c=x", ["cookie c type"]),
        ("{name: c, in: cookie, explode: false, schema: {type: array, items: {type: integer}}}", "Cookie: c=1,2", []),
    ]

    @Test(arguments: headers)
    func headersAndCookies(item: Case) throws {
        let parts = item.sent.split(separator: ":", maxSplits: 1).map(String.init)
        let request = ContractRequest(method: "GET", path: "/things/1", headers: [(parts[0], parts[1])])
        let violations = try contract(parameter: item.parameter).violations(request)
        #expect(violations.map(\.short) == item.violations, "\(item) \(violations.map(\.message))")
    }

    @Test func messagesSayWhereAndWhat() throws {
        let limit = "{name: limit, in: query, required: true, schema: {type: integer, maximum: 100}}"
        let tooMany = try contract(parameter: limit).violations(
            ContractRequest(method: "GET", path: "/things/1", query: "limit=250"))
        #expect(
            tooMany.map(\.message) == [#"the query parameter "limit" is not valid: expected 100 or less, found 250"#])
        #expect(tooMany.map(\.expected) == ["100 or less"])
        #expect(tooMany.map(\.found) == ["250"])
        let misspelt = try contract(parameter: limit).violations(
            ContractRequest(method: "GET", path: "/things/1", query: "limt=250"))
        #expect(
            misspelt.map(\.message)
                == [#"the query parameter "limit" is required, found none; is "limt" meant to be it?"#])
    }

    @Test(
        arguments: [
            ("type: array, items: {type: integer}, collectionFormat: csv", "n=1,x", ["query n /1 type"]),
            ("type: array, items: {type: integer}, collectionFormat: multi", "n=1&n=2", []),
            ("type: array, items: {type: integer}, collectionFormat: pipes", "n=1|2", []),
            ("type: array, items: {type: integer}, collectionFormat: tsv", "n=1%092", []),
            ("type: integer, maximum: 3", "n=4", ["query n maximum"]),
        ] as [(String, String, [String])])
    func swaggerHasThemToo(parameter: String, query: String, expected: [String]) throws {
        let contract = try contract(
            """
            swagger: '2.0'
            info: {title: t, version: '1'}
            paths:
              /a: {get: {parameters: [{name: n, in: query, \(parameter)}], responses: {'200': {description: ok}}}}
            """)
        let violations = try contract.violations(ContractRequest(method: "GET", path: "/a", query: query))
        #expect(violations.map(\.short) == expected, "\(violations.map(\.message))")
    }
}
