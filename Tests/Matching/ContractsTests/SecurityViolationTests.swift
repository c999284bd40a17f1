import SDContracts
import Testing

struct SecurityViolationTests {
    private func violations(_ security: String, _ query: String?, _ headers: [(name: String, value: String)]) throws
        -> [String]
    {
        let contract = try contract(
            """
            openapi: 3.0.3
            info: {title: t, version: '1'}
            paths: {/a: {get: {security: \(security), responses: {'200': {description: ok}}}}}
            components:
              securitySchemes:
                key: {type: apiKey, in: header, name: X-Key}
                query: {type: apiKey, in: query, name: key}
                cookie: {type: apiKey, in: cookie, name: sid}
                basic: {type: http, scheme: basic}
                bearer: {type: http, scheme: bearer}
                oauth: {type: oauth2, flows: {}}
                mtls: {type: mutualTLS}
            """)
        return try contract.violations(ContractRequest(method: "GET", path: "/a", query: query, headers: headers))
            .map(\.message)
    }

    @Test(
        arguments: [
            ("[{key: []}]", nil, "X-Key: 1", []),
            ("[{key: []}]", nil, "X-Other: 1", [#"credentials are required: expected the header "X-Key", found none"#]),
            ("[{query: []}]", "key=1", "X-Other: 1", []),
            ("[{cookie: []}]", nil, "Cookie: sid=1", []),
            ("[{basic: []}]", nil, "Authorization: basic YTpi", []),
            (
                "[{bearer: []}]", nil, "Authorization: Basic YTpi",
                ["credentials are required: expected Authorization: Bearer …, found Authorization: Basic …"]
            ),
            ("[{oauth: [read]}]", nil, "Authorization: Bearer x", []),
            ("[{mtls: []}]", nil, "X-Other: 1", []), ("[{}]", nil, "X-Other: 1", []), ("[]", nil, "X-Other: 1", []),
            ("[{key: []}, {}]", nil, "X-Other: 1", []),
            (
                "[{key: []}, {bearer: []}]", nil, "X-Other: 1",
                [#"credentials are required: expected the header "X-Key" or Authorization: Bearer …, found none"#]
            ),
            (
                "[{key: [], query: []}]", nil, "X-Key: 1",
                [#"credentials are required: expected the query parameter "key", found none"#]
            ),
        ] as [(String, String?, String, [String])])
    func credentialsMustBeThere(security: String, query: String?, header: String, expected: [String]) throws {
        let parts = header.split(separator: ":", maxSplits: 1).map { String($0) }
        #expect(try violations(security, query, [(parts[0], String(parts[1].dropFirst()))]) == expected)
    }
}
