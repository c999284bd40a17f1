import SDHTTPTransport
import SDJSON
package import SDMatching
import SDPlatform
public import SDStubModel
import Synchronization

/// The query of a list of serve events.
public struct JournalQuery: Sendable {
    /// The largest number of events; nil for all.
    public var limit: Int?
    /// A time in nanoseconds since 1970; only later events are listed.
    public var since: UInt64?
    /// Whether to list only requests that neither a stub nor a file under `__files` answered.
    public var isUnmatched = false
    /// The id of a stub; only requests that it answered are listed.
    public var matchingStub: StubMapping.ID?
    /// A cursor, an extension to WireMock: a sequence number; only later events are listed, oldest first.
    public var after: UInt64?

    public init() {}
}

/// The events of a list.
public struct JournalPage: Sendable {
    /// The number of events regardless of time and limit.
    public let total: Int
    public let events: [ServeEvent]
    /// The sequence number of the last dropped event; 0 if none was dropped.
    public let lastEvicted: UInt64
}

/// The count of a pattern in a journal that may have dropped events.
public struct RequestCount: Sendable, Equatable {
    public let count: Int
    /// The number of dropped events, which might have counted.
    public let evicted: Int
    /// The number of requests that the pattern's stub has answered since it was added, if events were dropped and the
    /// pattern belongs to exactly one stub.
    public let matches: Int?
}

/// The journal as the admin API reads it. The session's lock is held while references are copied, never while requests
/// are examined.
extension JournalOwner {
    // MARK: Lists

    /// The events of a list.
    package func page(_ query: JournalQuery) -> JournalPage {
        let (events, lastEvicted) = withJournal { ($0.newestFirst(), $0.lastEvicted) }
        let chosen = events.filter { event in
            (!query.isUnmatched || event.isUnmatched)
                && (query.matchingStub == nil || event.matchedStub?.stubID == query.matchingStub)
        }
        var shown = chosen[...]
        if let since = query.since { shown = shown.filter { $0.request.wallTime > since }[...] }
        if let after = query.after { shown = shown.filter { $0.sequence > after }.reversed()[...] }
        if let limit = query.limit { shown = shown.prefix(limit) }
        return JournalPage(total: chosen.count, events: Array(shown), lastEvicted: lastEvicted)
    }

    /// The event of an id; nil if it is not stored.
    package func event(_ id: StubMapping.ID) -> ServeEvent? {
        guard let sequence = eventIDs.sequence(id) else { return nil }
        return withJournal { $0.event(sequence) }
    }

    // MARK: Finding

    /// The number of events that a pattern matches, and of dropped ones. Without a journal the count is -1.
    /// - Throws: if the pattern cannot be compiled, is too expensive to match, or needs a truncated body.
    package func count(_ pattern: RequestPattern) throws(StubRefusal) -> RequestCount {
        let compiled = try compile(pattern)
        guard keepsJournal else { return RequestCount(count: -1, evicted: 0, matches: nil) }
        let (events, evicted) = withJournal { ($0.newestFirst(), $0.evictedCount) }
        let count = try select(events, compiled).count
        guard evicted > 0 else { return RequestCount(count: count, evicted: 0, matches: nil) }
        let matches = matches(of: pattern, compiled)
        // All requests that the stub answered are still in the journal.
        if let matches, matches <= count { return RequestCount(count: count, evicted: 0, matches: nil) }
        return RequestCount(count: count, evicted: evicted, matches: matches)
    }

    /// The number of events evicted since the journal was last emptied.
    package var evictedCount: Int { withJournal { $0.evictedCount } }

    /// The events that a pattern matches, newest first.
    /// - Throws: if the pattern cannot be compiled, is too expensive to match, or needs a truncated body.
    package func events(matching pattern: RequestPattern) throws(StubRefusal) -> [ServeEvent] {
        let compiled = try compile(pattern)
        return try select(events, compiled)
    }

    /// Selects the events that a compiled pattern matches.
    /// - Throws: if matching exceeds the budget of a call, or needs a truncated body.
    package func select(_ events: [ServeEvent], _ pattern: CompiledPattern) throws(StubRefusal) -> [ServeEvent] {
        let budget = newBudget
        var chosen: [ServeEvent] = []
        var undecided: [UInt64] = []
        for event in events {
            var views = RequestViews(event.request, budget: budget)
            let meeting = event.meets(pattern, &views)
            try budget.check("Matching the requests in the journal")
            switch meeting {
            case .met: chosen.append(event)
            case .unmet: break
            case .undecided: undecided.append(event.sequence)
            }
        }
        if !undecided.isEmpty { throw .undecided(cannotTell(of: undecided)) }
        return chosen
    }

    /// Compiles a pattern.
    /// - Throws: the pattern's problems, with their pointers below `root`.
    package func compile(_ pattern: RequestPattern, below root: String = "") throws(StubRefusal) -> CompiledPattern {
        do {
            return try CompiledPattern(pattern, at: "")
        } catch {
            let problems = error.problems.map { problem in
                let pointer = problem.pointer.hasPrefix(root) ? problem.pointer.dropFirst(root.utf8.count) : ""
                return ServingProblem(
                    pointer: JSONPointer(text: String(pointer)) ?? .root, message: problem.message,
                    kind: .invalid(detail: problem.wireMockDetail))
            }
            throw .unserved(StubMapping().id, problems)
        }
    }

    // MARK: Removing

    /// Removes one event from the journal. An unknown id changes nothing.
    package func removeRequest(_ id: StubMapping.ID) {
        guard let sequence = eventIDs.sequence(id) else { return }
        forget([sequence]) { $0.sequence == sequence }
    }

    /// Removes the events that a pattern matches, for `POST /requests/remove`.
    /// - Returns: the removed events, newest first.
    /// - Throws: if the pattern cannot be compiled, is too expensive to match, or needs a truncated body.
    package func removeRequests(_ pattern: RequestPattern) throws(StubRefusal) -> [ServeEvent] {
        let compiled = try compile(pattern)
        return forget(try select(events, compiled)) { event in
            var views = RequestViews(event.request, budgetLimit: Self.lateBudget)
            return event.meets(compiled, &views) == .met
        }
    }

    /// The processor time in nanoseconds to match a request that another replica sends after it was removed.
    private static var lateBudget: UInt64 { 100_000_000 }

    /// Removes the events whose stubs' metadata pass a matcher. As in WireMock, missing metadata are `null`.
    /// - Returns: the removed events, newest first.
    /// - Throws: if the matcher cannot be compiled, or is too expensive to match.
    package func removeRequests(metadata matcher: ValueMatcher) throws(StubRefusal) -> [ServeEvent] {
        var pattern = RequestPattern()
        pattern.bodyPatterns = [matcher]
        let compiled = try compile(pattern, below: "/bodyPatterns/0")
        let budget = newBudget
        let passes: @Sendable (ServeEvent, WorkBudget) -> Bool = { event, budget in
            var described = LoggedRequest()
            described.body = event.stub?.metadata.map { JSONValue.object($0).prettyBytes } ?? Array("null".utf8)
            let request = DescribedRequest(described, now: event.request.wallTime)
            var views = RequestViews(request, budget: budget)
            return compiled.matches(request, &views)
        }
        let chosen = events.filter { passes($0, budget) }
        try budget.check("Matching metadata")
        return forget(chosen) { passes($0, WorkBudget(limit: Self.lateBudget)) }
    }

    private func forget(
        _ events: [ServeEvent], like isRemoved: @escaping @Sendable (ServeEvent) -> Bool
    ) -> [ServeEvent] {
        forget(Set(events.map(\.sequence)), like: isRemoved)
        return events
    }

    private func forget(_ sequences: Set<UInt64>, like isRemoved: @escaping @Sendable (ServeEvent) -> Bool) {
        let served = withJournal { journal in
            if !sequences.isEmpty || journal.outbox != nil { journal.remove(sequences, like: isRemoved) }
            return journal.served
        }
        guard !sequences.isEmpty else { return }
        activity.eventsRemoved(.these(sequences, by: served))
    }
}
