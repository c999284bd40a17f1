import SDIndexing

/// All stubs that a session serves: its own, and those shared with the session that it inherits from.
struct VisibleStubs: Sendable {
    let own: StubIndex<CompiledStub>
    /// The inherited stubs; nil if the session inherits nothing.
    let inherited: InheritedView?

    /// The stubs in the order in which they are tried.
    var all: [CompiledStub] {
        guard let inherited else { return own.stubs.all }
        return merged(own.stubs.all, inherited.index.stubs.all.filter(inherited.shows))
    }

    var count: Int { inherited == nil ? own.count : all.count }

    /// An upper bound of the number of stubs.
    var mostCount: Int { own.count + (inherited?.mostCount ?? 0) }

    /// The stubs that a request may have been meant for, in the order in which they are tried.
    /// - Parameter most: the largest number of stubs to look for among the own and among the inherited ones.
    func candidates(near path: ArraySlice<UInt8>, most: Int) -> [CompiledStub] {
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

extension CompiledStub {
    var order: StubOrder { StubOrder(priority: priority, sequence: sequence) }
}
