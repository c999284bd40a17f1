package import SDAnswering
package import SDStubModel

/// The inherited stubs of a session: those of the base, except the ones that the session has edited or removed for
/// itself.
///
/// Stubs with conditions besides their patterns are copied, because each session has its own scenarios, `times` and
/// positions in responses; all others are shared.
package struct InheritedStubs: Sendable {
    /// The stubs and settings of the base when they were last read.
    package private(set) var base: SessionSnapshot
    /// Finds a current stub of the base.
    package let find: @Sendable (StubMapping.ID) -> CompiledStub?
    /// The base's stubs that are hidden here.
    package private(set) var hidden: Set<StubMapping.ID> = []
    /// Whether all stubs of the base are hidden, including future ones.
    private(set) var hidesAll = false
    /// The hit counts of shared stubs in this session.
    package var hits: [StubMapping.ID: HitCount] = [:]
    /// Whether the stubs in `base` have been processed.
    private var isSeen = false
    /// The base's stubs that are copied here, including expired ones.
    var localCopies: [StubMapping.ID: CompiledStub] = [:]

    package init(base: SessionSnapshot, find: @escaping @Sendable (StubMapping.ID) -> CompiledStub?) {
        self.base = base
        self.find = find
    }

    /// The currently visible shared stubs.
    package var view: InheritedView { InheritedView(base, hidden: hidden, hidesAll: hidesAll) }

    /// A visible shared stub.
    package func stub(_ id: StubMapping.ID) -> CompiledStub? {
        if hidesAll || hidden.contains(id) { return nil }
        return find(id).flatMap { $0.lifecycle == nil ? $0 : nil }
    }

    /// Applies a new snapshot of the base.
    /// - Returns: false if it was applied before.
    package mutating func follow(_ base: SessionSnapshot) -> Bool {
        if isSeen, self.base.generation == base.generation { return false }
        self.base = base
        isSeen = true
        return true
    }

    package mutating func hide(_ id: StubMapping.ID) {
        hidden.insert(id)
    }

    mutating func hideAll() {
        hidden = []
        hidesAll = true
    }

    /// Makes everything visible again.
    mutating func restore() {
        hidden = []
        hidesAll = false
        localCopies = [:]
        isSeen = false
    }
}
