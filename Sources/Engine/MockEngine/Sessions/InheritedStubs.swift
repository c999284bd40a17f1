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
