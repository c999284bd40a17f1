package import SDAnswering
package import SDIndexing

/// All stubs that a session serves: its own, and those shared with the session that it inherits from.
package struct VisibleStubs: Sendable {
    package let own: StubIndex<CompiledStub>
    /// The inherited stubs; nil if the session inherits nothing.
    package let inherited: InheritedView?

    package init(own: StubIndex<CompiledStub>, inherited: InheritedView?) {
        self.own = own
        self.inherited = inherited
    }

    /// The stubs in order of precedence.
    package var all: [CompiledStub] {
        guard let inherited else { return own.stubs.all }
        return merged(own.stubs.all, inherited.index.stubs.all.filter(inherited.shows))
    }

    package var count: Int { inherited == nil ? own.count : all.count }

    /// An upper bound of the number of stubs.
    package var maxCount: Int { own.count + (inherited?.maxCount ?? 0) }

    /// The stubs that a request may have been meant for, in order of precedence.
    /// - Parameter most: the largest number of own, and of inherited, stubs.
    package func candidates(near path: ArraySlice<UInt8>, most: Int) -> [CompiledStub] {
        let near = own.candidates(near: path, most: most)
        guard let inherited, !inherited.hidesAll else { return near }
        return merged(near, inherited.index.candidates(near: path, most: most).filter(inherited.shows))
    }

    private func merged(_ left: [CompiledStub], _ right: [CompiledStub]) -> [CompiledStub] {
        if left.isEmpty { return right }
        if right.isEmpty { return left }
        var stubs: [CompiledStub] = []
        stubs.reserveCapacity(left.count + right.count)
        var rest = right[...]
        for stub in left {
            while let next = rest.first, next.order < stub.order {
                stubs.append(next)
                rest.removeFirst()
            }
            stubs.append(stub)
        }
        return stubs + rest
    }
}
