import SDHTTPMessages
import SDHTTPTransport
import SDJSON
import SDMockEngine

extension AdminCall {
    /// The answer to a call that releases a number of requests from a gate on all replicas: the oldest first, wherever
    /// they wait, one at a time by id; nil for any other call.
    func answerStepByStep(_ route: AdminRoute, _ replicas: any ReplicaControl) -> AdminAnswer? {
        guard ["/gates/{gate}/release", "/gates/{gate}/fail"].contains(route.path),
            let body = (try? json())?.objectValue, let count = body["count"]?.intValue, count > 0, body["id"] == nil
        else { return nil }
        var change = ReplicatedCall(self, needsJournal: false)
        change.wantsAnswers = true
        change.fields.removeAll { $0.name == "content-encoding" || $0.name == "content-type" }
        var question = change
        question.method = "GET"
        question.body = []
        question.url = change.url.prefix { $0 != "?" }.split(separator: "/").dropLast().map { "/" + $0 }.joined()
        question.url += "?limit=1000000"
        return .later { [self, change, question] reply in
            let owed = OneShotReply(reply)
            let read: @Sendable (PlainResponse) -> Void = { gate in
                let found = (try? JSONValue(parsing: gate.body))?.objectValue
                let waiting = ["requests", "messages"].flatMap { found?[$0]?.arrayValue ?? [] }
                let ids = waiting.prefix(count).compactMap { $0.objectValue?["id"]?.stringValue }
                guard !ids.isEmpty else {
                    // If no other replica is there, its own answer explains why nothing happens.
                    return replicas.make(change, request) { own, others in
                        owed.answer(own.merged(with: others, adding: route.sums))
                    }
                }
                Self.make(change, body, of: ids[...], nil, adding: route.sums, replicas) { owed.answer($0) }
            }
            switch answer(to: question.request, of: session) {
            case .now(let response): read(response)
            case .later(let answer): answer(DeferredReply(within: question.request, sessions.base.memory, read))
            }
        }
    }

    /// Releases requests one at a time, and answers with the sum.
    private static func make(
        _ change: ReplicatedCall, _ body: JSONObject, of ids: ArraySlice<String>, _ sum: PlainResponse?,
        adding sums: Set<String>, _ replicas: any ReplicaControl, then: @escaping @Sendable (PlainResponse) -> Void
    ) {
        guard let id = ids.first else { return then(sum ?? .emptyObject) }
        var one = change
        var text = body
        text["count"] = nil
        text["id"] = .string(id)
        one.body = JSONValue.object(text).compactBytes
        replicas.make(one, nil) { own, others in
            let answer = own.merged(with: others, adding: sums)
            guard answer.status < 300 else { return then(answer) }
            let next = sum.map { $0.merged(with: [answer.body], adding: sums) } ?? answer
            make(change, body, of: ids.dropFirst(), next, adding: sums, replicas, then: then)
        }
    }
}
