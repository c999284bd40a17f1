import SDTestSupport
import Testing

/// OpenAPI documents that are made to be dear.
@Suite struct OpenAPIAttackTests {
    /// Alternatives that exclude each other: what is dear about them is dear for the request's budget.
    @Test(arguments: [#"{"type":"object","required":["k*"]}"#, #"{"const":"k*"}"#])
    func manyAlternativesEndWithTheBudget(alternative: String) throws {
        let parts = alternative.split(separator: "*")
        let all = (0..<30_000).map { "\(parts[0])\($0)\(parts[1])" }.joined(separator: ",")
        let daemon = try Daemon(files: [
            "one.json": #"""
            {"openapi":"3.1.0","info":{"title":"t","version":"1"},"paths":{"/a":{"get":{"responses":{"200":
            {"description":"ok","content":{"application/json":{"schema":{"oneOf":[\#(all)]}}}}}}}}}
            """#
        ])
        let answer = try daemon.get("/a")
        #expect(answer.status == 200 || answer.text.contains("processor time"))
        daemon.expectPeakMemory(below: 500 << 20, "30,000 alternatives")
    }
}
