private import SDCPages
import SDJSON
import SDStubFiles

/// A document that agents may read.
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
        ) { page(pg_agents) },
        AgentResource(
            uri: "stuntdouble://docs/routes", name: "routes", title: "Routes",
            help: "The shorthand for stubs, in YAML or JSON, with each of its keys."
        ) { page(pg_routes) },
        AgentResource(
            uri: "stuntdouble://docs/matching", name: "matching", title: "Which stub answers",
            help: "Order, priority, and every matcher."
        ) { page(pg_matching) },
        AgentResource(
            uri: "stuntdouble://docs/faults", name: "faults", title: "Faults",
            help: "What can be broken: cut, stall, slow down, status, the first two only."
        ) { page(pg_faults) },
        AgentResource(
            uri: "stuntdouble://schema/stubs", name: "stubs.schema.json", title: "The JSON Schema of stub files",
            help: "Every key and value of routes and mappings.", type: "application/schema+json"
        ) { StubSchema.text },
    ]

    private static func page(_ get: (UnsafeMutablePointer<Int>) -> UnsafePointer<UInt8>?) -> String {
        var length = 0
        let start = get(&length)
        return String(decoding: UnsafeBufferPointer(start: start, count: length), as: UTF8.self)
    }

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
