import HTTPTransport
import Matching
import Synchronization

/// The stub that was found for a request, and what it was found by.
struct StubMatch {
    let stub: CompiledStub?
    /// The count of conditions that moved, before the first of them was looked at; nil where none was.
    private let seen: UInt64?

    /// Found by patterns alone.
    init(_ stub: CompiledStub?) {
        self.stub = stub
        seen = nil
    }

    /// Looks for a stub whose pattern matches and whose conditions hold.
    init(
        _ request: Request, _ views: inout RequestViews, _ finder: StubFinder<CompiledStub>,
        _ conditions: borrowing Atomic<UInt64>
    ) {
        let count = conditions.load(ordering: .acquiring)
        var hasLooked = false
        stub = finder.firstMatch(request, &views) { stub in
            guard let life = stub.life else { return true }
            hasLooked = true
            return life.isOpen
        }
        seen = hasLooked ? count : nil
    }

    /// Nothing that was looked at has moved since. To be asked under the session's lock.
    func holds(_ conditions: borrowing Atomic<UInt64>) -> Bool {
        seen.map { $0 == conditions.load(ordering: .relaxed) } ?? true
    }
}
