import SDAnswering
import SDHTTPMessages
import SDHTTPTransport
import SDJSON
import SDMockEngine
import SDStubModel

/// `/__admin/streams`: sends events to the readers of a named stream. An addition to WireMock's admin API.
enum StreamRoutes {
    static let all: [AdminRoute] = [
        AdminRoute("GET", "/streams", list).ofAll(adding: "readers").query("limit"),
        AdminRoute("GET", "/streams/{name}", get).ofAll(adding: "readers").query("limit"),
        AdminRoute("POST", "/streams/{name}", push).ofAll(adding: "readers"),
        AdminRoute("POST", "/streams/{name}/close", close).ofAll(adding: "closed"),
        AdminRoute("POST", "/streams/{name}/fail", fail).ofAll(adding: "failed"),
    ]

    /// The default maximum number of readers listed per stream.
    private static let maxShown = 100

    private static func list(_ call: AdminCall) throws(AdminError) -> PlainResponse {
        let (streams, most) = (call.session.streams, try call.count("limit") ?? maxShown)
        return .json([
            "streams": .array(streams.map { $0.json(of: call.session, most: most) }),
            "meta": ["total": number(streams.count)],
        ])
    }

    /// Returns one stream; a stream without readers is not an error.
    /// - Throws: `AdminError` for an invalid `limit`.
    private static func get(_ call: AdminCall) throws(AdminError) -> PlainResponse {
        .json(call.session.stream(name(call)).json(of: call.session, most: try call.count("limit") ?? maxShown))
    }

    private static func push(_ call: AdminCall) throws(AdminError) -> PlainResponse {
        let document = try call.read { json throws(ModelProblems) in try PushDocument(json: json) }
        let readers = call.session.push(document.contents, to: name(call))
        return .json(["readers": number(readers), "events": number(document.contents.count)])
    }

    private static func close(_ call: AdminCall) -> PlainResponse {
        .json(["closed": number(call.session.closeStream(name(call)))])
    }

    private static func fail(_ call: AdminCall) throws(AdminError) -> PlainResponse {
        let isEmpty = call.request.body.isEmpty
        let fault =
            try isEmpty
            ? Fault.connectionResetByPeer
            : call.read { json throws(ModelProblems) in try FaultDocument(json: json).fault }
        return .json(["failed": number(call.session.failStream(name(call), with: fault))])
    }

    private static func name(_ call: AdminCall) -> String { call.parameters["name"] ?? "" }
}
