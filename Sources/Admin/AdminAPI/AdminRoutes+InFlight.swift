import SDHTTPMessages
import SDHTTPTransport
import SDJSON
import SDJournal
import SDMockEngine

/// `/__admin/in-flight`: delayed or paced answers in progress.
enum InFlightRoutes {
    static let all: [AdminRoute] = [
        AdminRoute("GET", "/in-flight", list).heavy.ofAll,
        AdminRoute("DELETE", "/in-flight", endAll).ofAll(adding: "ended"),
        AdminRoute("DELETE", "/in-flight/{id}", end).ofAll,
    ]

    private static func list(_ call: AdminCall) -> PlainResponse {
        .json(call.session.inFlight().json(of: call.session))
    }

    private static func endAll(_ call: AdminCall) -> PlainResponse {
        .json(["ended": number(call.session.endInFlight())])
    }

    private static func end(_ call: AdminCall) throws(AdminError) -> PlainResponse {
        guard call.session.endInFlight(try call.id()) else { throw .notFound }
        return .json(["ended": 1])
    }
}
