package import SDChannels
package import SDExplaining
package import SDHTTPTransport
package import SDJSON
package import SDJournal
import SDMatching
package import SDMockEngine
package import SDPlatform
package import SDReports
import SDStubModel
package import SDWebSocket

/// A message stub that did not match a message on a WebSocket, and the differences.
package struct MessageNearMiss: Sendable {
    package let stub: CompiledMessageStub
    /// The evaluation of the message and its channel's opening request against the stub.
    package let evaluation: PatternEvaluation
    /// Why the stub does not act although its patterns match; nil if it would.
    package let state: String?

    /// The largest number of stubs that are compared.
    private static let maxCompared = 1_000

    /// The stubs nearest to a message, nearest first. Once the budget is spent, returns those found so far.
    /// - Parameter request: the opening request of the channel; nil for a fixed channel.
    package static func nearest(
        to message: WebSocketMessage, on request: Request?, in session: Session, count: Int = 3, _ budget: WorkBudget
    ) -> [MessageNearMiss] {
        var candidates: [(stub: CompiledMessageStub, wanted: RequestPattern, pattern: CompiledPattern)] = []
        for stub in session.channels.stubs.prefix(maxCompared) where !budget.isSpent {
            guard let wanted = stub.wanted(onFixedChannel: request == nil), let pattern = try? CompiledPattern(wanted)
            else { continue }
            candidates.append((stub, wanted, pattern))
        }
        let said = SaidRequest(request ?? Self.none, message)
        var views = RequestViews(said, budget: budget)
        let patterns = NearestPatterns(candidates.map(\.pattern))
        var found = patterns.nearest(to: said, &views, count: NearestPatterns.pool)
        found = patterns.nearestByBeginning(found, to: said, &views, count: NearestPatterns.pool)
        found = patterns.fewestDifferences(found, to: said, &views, count: count)
        var misses: [MessageNearMiss] = []
        for near in found {
            let candidate = candidates[near.index]
            let evaluation = candidate.pattern.evaluate(said, &views, of: candidate.wanted, .differences)
            if views.isSpent { break }
            let state = session.scenarioInTheWay(of: candidate.stub.stub)
            misses.append(MessageNearMiss(stub: candidate.stub, evaluation: evaluation, state: state))
        }
        return misses
    }

    /// A placeholder for the opening request, for fixed channels.
    private static let none = Request(
        method: "GET", url: "/", fields: [], body: [], Request.Circumstances(isSecure: false, wallTime: 0, clockTime: 0)
    )

    /// The nearest message stub for reports on an unanswered message.
    package static func reported(
        _ message: WebSocketMessage, on request: Request, in session: Session
    ) -> Report.NearestMessageStub? {
        let budget = WorkBudget(limit: session.loopLimit)
        return nearest(to: message, on: request, in: session, count: 1, budget).first.map { miss in
            Report.NearestMessageStub(
                stub: session.redaction.redacted(miss.stub.reference), change: miss.smallestChange(session.redaction))
        }
    }

    /// The smallest change with which the stub would act, without a full stop.
    package func smallestChange(_ redaction: Redaction?) -> String {
        guard !evaluation.matches || state != nil else {
            return "What it says of the message matches; the channel does not, or its sequence is over"
        }
        return SmallestChange(of: redaction.redacted(evaluation), state: state, isOfMessage: true).sentence
    }

    package func json(_ redaction: Redaction?) -> JSONValue {
        var json: JSONObject = ["stubMapping": redaction.redacted(stub.stub.json)]
        for member in redaction.redacted(stub.reference).json.members where member.key == "key" || member.key == "file"
        {
            json[member.key] = member.value
        }
        json["distance"] = evaluation.distance.jsonNumber
        json["attributes"] = .array(redaction.redacted(evaluation).conditions.map(\.json))
        return .object(json)
    }
}

/// The opening request of a WebSocket, with the message as its body.
private struct SaidRequest: MatchableRequest {
    private let request: Request
    let body: ArraySlice<UInt8>

    init(_ request: Request, _ message: WebSocketMessage) {
        self.request = request
        body = message.bytes[...]
    }

    var method: ArraySlice<UInt8> { request.method }
    var methodBit: MethodSet { request.methodBit }
    var url: ArraySlice<UInt8> { request.url }
    var path: ArraySlice<UInt8> { request.path }
    var pathCount: Int { request.pathCount }
    var pathHash: UInt64 { request.pathHash }
    var query: ArraySlice<UInt8>? { request.query }
    var authority: ArraySlice<UInt8>? { request.authority }
    var isSecure: Bool { request.isSecure }
    var peer: String { request.peer }
    var localPort: UInt16 { request.localPort }
    var wallTime: UInt64 { request.wallTime }
    var omissions: RequestOmissions { [] }

    func forEachHeaderValue(_ name: [UInt8], _ body: (ArraySlice<UInt8>) -> Bool) {
        request.forEachHeaderValue(name, body)
    }

    func certificateValues(_ field: CertificateField) -> [String] { request.certificateValues(field) }
}
