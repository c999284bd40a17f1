import JSON
public import Matching
public import StubModel
import Synchronization

/// Stubs chosen by what they say of themselves, or by what they did.
extension Session {
    /// The stubs whose metadata, written as JSON in WireMock's layout, pass the matcher; `null` stands for none.
    public func stubs(withMetadata matcher: CompiledMatcher, now: UInt64) -> [StubMapping] {
        bringUpToDate()
        return state.withLock { $0.stubs.all }.filter { $0.metadata(pass: matcher, now) }.map(\.currentMapping)
    }

    /// Removes the stubs whose metadata pass the matcher, as `remove` does each.
    public func removeStubs(withMetadata matcher: CompiledMatcher, now: UInt64) throws(StubRefusal) {
        bringUpToDate()
        // Matching may take long, so it comes before the lock; what was edited in between is looked at again.
        let seen = state.withLock { $0.stubs.all }.map { ($0, $0.metadata(pass: matcher, now)) }
        var removed: [CompiledStub] = []
        defer { tellRemoved(removed) }
        try change { state throws(StubRefusal) in
            for (stub, passed) in seen {
                guard let current = state.stubs.stub(stub.mapping.id) else { continue }
                guard current === stub ? passed : current.metadata(pass: matcher, now) else { continue }
                try remove(current, &state)
                removed.append(current)
            }
        }
    }

    /// The stubs that have answered nothing since they came or since the last reset.
    public var unmatchedStubs: [StubMapping] {
        stubsWithHits.filter { $0.hits.matches == 0 }.map(\.stub.currentMapping)
    }

    /// Removes them, as `remove` does each.
    public func removeUnmatchedStubs() throws(StubRefusal) {
        var removed: [CompiledStub] = []
        defer { tellRemoved(removed) }
        try change { state throws(StubRefusal) in
            for stub in state.stubs.all where state.stubs.hits(of: stub).matches == 0 {
                try remove(stub, &state)
                removed.append(stub)
            }
        }
    }
}

extension CompiledStub {
    fileprivate func metadata(pass matcher: CompiledMatcher, _ now: UInt64) -> Bool {
        let text = mapping.metadata.map { JSONValue.object($0).prettyBytes } ?? Array("null".utf8)
        return matcher.matches(text, now: now)
    }
}
