private import SDCPages
import SDJSON
import SDPlatform
import SDStubFiles

/// A document that agents can read.
struct AgentResource: Sendable {
    let uri: String
    let name: String
    let title: String
    let help: String
    var type = "text/markdown"
    let text: @Sendable () -> String

    static let all = [
        AgentResource(
            uri: "stuntdouble://docs/agents", name: "agents", title: "Stunt Double for agents",
            help: "How to begin: a session, stubs, why something failed."
        ) { page("agents.md") },
        AgentResource(
            uri: "stuntdouble://docs/routes", name: "routes", title: "Routes",
            help: "The shorthand for stubs, in YAML or JSON, with each of its keys."
        ) { page("routes.md") },
        AgentResource(
            uri: "stuntdouble://docs/matching", name: "matching", title: "Which stub answers",
            help: "Order, priority, and every matcher."
        ) { page("matching.md") },
        AgentResource(
            uri: "stuntdouble://docs/waiting", name: "waiting", title: "Waiting and verifying",
            help: "What an expectation of `verify` may say: a request, how often, in which order, within which time."
        ) { page("waiting.md") },
        AgentResource(
            uri: "stuntdouble://docs/faults", name: "faults", title: "Faults",
            help: "What can be broken: cut, stall, slow down, status, the first two only."
        ) { page("faults.md") },
        AgentResource(
            uri: "stuntdouble://schema/stubs", name: "stubs.schema.json", title: "The JSON Schema of stub files",
            help: "Every key and value of routes and mappings.", type: "application/schema+json"
        ) { StubSchema.text },
    ]

    private static func page(_ name: String) -> String {
        String(decoding: pages[name]?.content ?? [], as: UTF8.self)
    }

    private static let pages: [String: EmbeddedFile] = {
        var count = 0
        let files = UnsafeBufferPointer(start: pg_files(&count), count: count)
        let pages = files.map {
            EmbeddedFile(name: $0.name, bytes: UnsafeBufferPointer(start: $0.bytes, count: $0.length))
        }
        return Dictionary(pages.map { ($0.name, $0) }) { first, _ in first }
    }()

    var document: JSONValue {
        [
            "uri": .string(uri), "name": .string(name), "title": .string(title), "description": .string(help),
            "mimeType": .string(type),
        ]
    }

    var content: JSONValue {
        ["uri": .string(uri), "mimeType": .string(type), "text": .string(text())]
    }
}
