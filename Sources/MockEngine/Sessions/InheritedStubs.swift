import HTTPTransport
import Matching
import StubModel

/// What a session sees of the stubs of the session that it inherits from: all of them, but for those that it edited or
/// removed for itself.
///
/// Stubs that answer under conditions beside their patterns are taken over as copies, since scenarios, `times` and turns are
/// each session's own; all others are shared.
struct InheritedStubs: Sendable {
    /// The stubs and settings as they were when they were last looked at.
    private(set) var base: SessionSnapshot
    /// Finds a stub of the base as it is now.
    let find: @Sendable (StubMapping.ID) -> CompiledStub?
    /// Stubs of the base that are not seen here.
    private(set) var hidden: Set<StubMapping.ID> = []
    /// Nothing of the base is seen, whatever comes to it.
    private(set) var hidesAll = false
    /// What the shared stubs have answered for this session.
    var hits: [StubMapping.ID: HitCount] = [:]
    /// What `base` holds has been taken into account.
    private var isSeen = false
    /// The stubs of the base that there are copies of, or were until their time came.
    var adopted: [StubMapping.ID: CompiledStub] = [:]

    init(base: SessionSnapshot, find: @escaping @Sendable (StubMapping.ID) -> CompiledStub?) {
        self.base = base
        self.find = find
    }

    /// The shared stubs as they are seen now.
    var view: InheritedView { InheritedView(base, hidden: hidden, hidesAll: hidesAll) }

    /// A shared stub that is seen here.
    func stub(_ id: StubMapping.ID) -> CompiledStub? {
        if hidesAll || hidden.contains(id) { return nil }
        return find(id).flatMap { $0.life == nil ? $0 : nil }
    }

    /// - Returns: false where it was seen before.
    mutating func follow(_ base: SessionSnapshot) -> Bool {
        if isSeen, self.base.generation == base.generation { return false }
        self.base = base
        isSeen = true
        return true
    }

    mutating func hide(_ id: StubMapping.ID) {
        hidden.insert(id)
    }

    mutating func hideAll() {
        hidden = []
        hidesAll = true
    }

    /// Everything is seen again.
    mutating func restore() {
        hidden = []
        hidesAll = false
        adopted = [:]
        isSeen = false
    }
}

/// The shared stubs of a session, for those who look for one: immutable.
final class InheritedView: Sendable {
    /// The generation of the base.
    let generation: UInt64
    let index: StubIndex<CompiledStub>
    let hidden: Set<StubMapping.ID>
    let hidesAll: Bool
    private let finder: StubFinder<CompiledStub>
    private let conditionalCount: Int

    fileprivate init(_ base: SessionSnapshot, hidden: Set<StubMapping.ID>, hidesAll: Bool) {
        generation = base.generation
        index = base.stubs.own
        finder = base.finder
        conditionalCount = base.conditionalCount
        self.hidden = hidden
        self.hidesAll = hidesAll
    }

    /// Of the stubs of the base, one that is shared and not hidden.
    func shows(_ stub: CompiledStub) -> Bool {
        !hidesAll && stub.life == nil && (hidden.isEmpty || !hidden.contains(stub.id))
    }

    /// As many as it can be; fewer are seen where some are hidden.
    var mostCount: Int { hidesAll ? 0 : index.count - conditionalCount }

    func search<Request>(_ search: inout StubSearch<CompiledStub, Request>, _ views: inout RequestViews) {
        if hidesAll { return }
        finder.search(&search, &views) { [hidden] stub in
            stub.life == nil && (hidden.isEmpty || !hidden.contains(stub.id))
        }
    }
}

/// What a stub has answered, and when first and last: nanoseconds since 1970, 0 where it answered nothing.
struct HitCount: Sendable {
    var matches = 0
    var first: UInt64 = 0
    var last: UInt64 = 0

    mutating func add(at time: UInt64) {
        matches += 1
        if first == 0 { first = time }
        last = time
    }

    /// In milliseconds since 1970; nil where it answered nothing.
    var times: (first: Int64, last: Int64)? {
        first == 0 ? nil : (Int64(first / 1_000_000), Int64(last / 1_000_000))
    }
}
