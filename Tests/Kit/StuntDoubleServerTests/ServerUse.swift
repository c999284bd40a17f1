import Foundation
import StuntDoubleServer
import Testing

/// A use of a server, told in lines that have to be the same wherever it comes from.
struct ServerUse: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var arguments: [String] = []
    var files: [String: String]?
    /// What stands in one of the lines.
    let proof: String
    let run: @Sendable (MockServer, ScratchFolder?) async throws -> [String]

    init(
        _ description: String, proof: String, arguments: [String] = [], files: [String: String]? = nil,
        run: @escaping @Sendable (MockServer, ScratchFolder?) async throws -> [String]
    ) {
        testDescription = description
        self.proof = proof
        self.arguments = arguments
        self.files = files
        self.run = run
    }

    /// The lines from a server of this origin, without what differs between any two runs.
    func lines(_ origin: ServerOrigin) async throws -> [String] {
        let folder = try files.map { try ScratchFolder($0) }
        return try await origin.open(mocks: folder?.path, arguments) { mock in
            try await run(mock, folder).map { line in
                line.replacing(mock.url.absoluteString, with: "URL")
                    // Folders and ids may hold the digits of the port.
                    .replacing(folder?.path ?? "-", with: "FOLDER")
                    .replacing(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/, with: "ID")
                    .replacing(mock.url.host() ?? "-", with: "HOST").replacing("\(mock.url.port ?? 0)", with: "PORT")
            }
        }
    }

    static let all: [ServerUse] = [
        ServerUse("files of a folder are served, and stubs over them", proof: "<p>hello</p>", files: shop) { mock, _ in
            try await mock.stub(.get("/orders/9"), .json(["id": 9], status: 201).header("X-Kind", "new"))
            return try await [
                ask("/orders/7", of: mock), ask("/orders/9", of: mock), ask("/terms.txt", of: mock),
                ask("/page", of: mock), ask("HEAD", "/orders/7", of: mock),
            ]
        },
        ServerUse("nothing is there without a folder", proof: "no stub mappings") { mock, _ in
            try await [ask("/", of: mock), ask("/__admin/mappings", of: mock)]
        },
        ServerUse("a sequence goes on from request to request", proof: "201 text/plain") { mock, _ in
            try await mock.stub(.post("/orders"), .status(503).times(2), .text("made", status: 201))
            var lines: [String] = []
            for _ in 0..<4 { lines.append(try await ask("POST", "/orders", of: mock, body: "{}")) }
            return lines
        },
        ServerUse(
            "a request that nothing matches gets the report on the nearest stub", proof: "Request was not matched"
        ) { mock, _ in
            try await mock.stub(.get("/orders").header("Accept", .equal("text/csv")), .text("1"))
            return try await [ask("/order", of: mock), ask("POST", "/orders", of: mock, body: "x")]
        },
        ServerUse(
            "an equal seed draws equal values", proof: "200 ",
            arguments: ["--seed", "7", "--global-response-templating"]
        ) {
            mock, _ in
            let body = "{{randomValue length=12}} {{randomInt lower=1 upper=1000}} {{pickRandom 'a' 'b' 'c'}}"
            try await mock.stub(.get("/random"), .text(body))
            return try await [ask("/random", of: mock), ask("/random", of: mock)]
        },
        ServerUse("faults break the connection", proof: "URLError") { mock, _ in
            try await mock.stub(.get("/reset"), .fault(.connectionReset))
            try await mock.stub(.get("/empty"), .fault(.emptyResponse))
            return try await [ask("/reset", of: mock), ask("/empty", of: mock), ask("/none", of: mock)]
        },
        ServerUse("sessions know nothing of each other", proof: "410 ", files: shop) { mock, _ in
            let one = try await mock.makeSession(name: "one")
            let other = try await mock.makeSession(inheriting: false)
            try await one.stub(.get("/me"), .text("one"))
            try await other.stub(.get("/me"), .text("other"))
            let lines = try await [
                ask("/me", of: one), ask("/me", of: other), ask("/orders/7", of: one), ask("/me", of: mock),
                "\(one.requests.count) \(other.requests.count) \(mock.requests.count)",
            ]
            let path = "/__session/\(one.sessionID ?? "")/me"
            let before = try await ask(path, of: mock)
            try await one.end()
            let after = try await ask(path, of: mock).replacing(one.sessionID ?? "", with: "SESSION")
            return lines + [before, after]
        },
        ServerUse("a held answer waits for the test", proof: "let go") { mock, _ in
            try await mock.stub(
                .mapping(json: ["request": ["url": "/held"], "response": ["hold": "door", "body": "let go"]]))
            async let answer = ask("/held", of: mock)
            while try await mock.callAdmin("GET", "/gates/door")["waiting"] != 1 { await Task.yield() }
            let released = try await mock.callAdmin("POST", "/gates/door/release")
            return try await [released.description, answer]
        },
        ServerUse("a handler's answer acts as a stub's", proof: "503 ") { mock, _ in
            try await mock.handle(.get("/cut")) { _ in .text("0123456789").cut(after: 4) }
            try await mock.handle(.get("/busy")) { _ in .text("x").delay(.milliseconds(20)).fault(.status(503)) }
            try await mock.handle(.get("/long")) { _ in .text("0123456789").fault(.wrongLength(by: -4)) }
            try await mock.handle(.get("/none")) { _ in .status(199) }
            return try await [
                ask("/cut", of: mock), ask("/busy", of: mock), ask("/long", of: mock), ask("/none", of: mock),
            ]
        },
        ServerUse("a bad stub is refused with the same words", proof: "422") { mock, _ in
            var lines: [String] = []
            for mapping: Stub.JSON in [
                ["request": ["urlPathern": "/x"], "response": [:]],
                ["request": ["bodyPatterns": [["matchesJsonPath": "$["]]], "response": ["status": "x"]],
            ] {
                do {
                    try await mock.callAdmin("POST", "/mappings", mapping)
                    lines.append("taken")
                } catch let error as MockServerError {
                    lines.append("\(error)")
                }
            }
            return lines
        },
        ServerUse("the admin API answers alike", proof: "403 ", files: shop) { mock, _ in
            try await [
                ask("/__admin/settings", of: mock), ask("/__admin/nothing", of: mock),
                ask("/__admin/mappings", of: mock),
                ask("GET", "/__admin/mappings", of: mock, headers: ["Origin": "http://evil.example"]),
                ask("GET", "/__admin/mappings", of: mock, headers: ["Host": "evil.example"]),
            ]
        },
        ServerUse("a persistent stub is written into the folder", proof: "kept", files: shop) { mock, folder in
            try await mock.stub(.any.url("/kept"), .text("kept").named("kept").persistent())
            let kept = try await ask("/kept", of: mock)
            try await mock.callAdmin("POST", "/mappings/reset")
            return try await [kept, ask("/kept", of: mock), "\(folder?.names("mappings").count ?? 0)"]
        },
        ServerUse("a changed file is served", proof: "late", files: shop) { mock, folder in
            try folder?.write("mappings/late.yaml", "GET /late: { body: late }\n")
            var answer = try await ask("/late", of: mock)
            let deadline = ContinuousClock.now + .seconds(300)
            while !answer.hasPrefix("200"), .now < deadline { answer = try await ask("/late", of: mock) }
            return [answer]
        },
        ServerUse(
            "options change what is served", proof: "soon",
            arguments: ["--no-request-journal", "--time-scale", "0.001"]
        ) {
            mock, _ in
            try await mock.stub(.get("/slow"), .text("soon").delay(.seconds(60)))
            return try await [ask("/slow", of: mock), "\(mock.requests.count)"]
        },
        ServerUse("a large body arrives whole", proof: "3000") { mock, _ in
            let body = String(repeating: "abcdefghij", count: 300_000)
            try await mock.stub(.get("/large"), .text(body))
            let answer = try await ask("/large", of: mock)
            return ["\(answer.utf8.count)", String(answer.suffix(10))]
        },
        ServerUse("the admin API ends it, and to end it again is no error", proof: "200 ") { mock, _ in
            let answer = try await ask("POST", "/__admin/shutdown", of: mock)
            var after = try await ask("/x", of: mock)
            while !after.hasPrefix("URLError") { after = try await ask("/x", of: mock) }
            return [answer]
        },
    ]

    private static let shop = [
        "mappings/shop.yaml": """
        GET /orders/{id}: { json: { id: "{{request.path.id}}" }, template: true }
        GET /page: { file: page.html, headers: { Content-Type: text/html } }
        """,
        "__files/page.html": "<p>hello</p>",
        "__files/terms.txt": "terms",
    ]
}
