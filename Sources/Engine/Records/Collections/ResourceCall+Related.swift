import SDBasics
import SDJSON
import SDPlatform
import SDWireValues

/// Records of related collections: included in those that a request reads (`_embed`, `_expand`), and removed with one
/// that it removes (`_dependent`, `cascade`).
extension ResourceCall {
    /// What a request asks to include in its records.
    package enum Inclusion {
        /// The child records of each record, under the name of their collection.
        case members(of: String)
        /// The owner of each record, under the singular of its collection's name.
        case owner(String, of: String)

        package var collection: String {
            switch self {
            case .members(let collection), .owner(_, let collection): collection
            }
        }
    }

    /// The inclusions of the parameters `_embed` and `_expand`. As in json-server 1, `_embed` accepts both.
    /// - Throws: 400 for an unknown collection.
    func inclusions(_ parameters: [(name: String, value: String)]) throws(ResourceFailure) -> [Inclusion] {
        var inclusions: [Inclusion] = []
        let names = session.resources.names
        for (parameter, value) in parameters where parameter == "_embed" || parameter == "_expand" {
            for name in value.split(separator: ",").map(String.init) {
                if parameter == "_embed", names.contains(name) {
                    inclusions.append(.members(of: name))
                } else if let collection = names.first(where: { RelationNames(collection: $0).singulars.contains(name) }
                ) {
                    inclusions.append(.owner(name, of: collection))
                } else {
                    let known =
                        parameter == "_embed"
                        ? names : names.compactMap { RelationNames(collection: $0).singulars.first }
                    throw Self.unknown(parameter, name, known)
                }
            }
        }
        return inclusions
    }

    private static func unknown(_ parameter: String, _ name: String, _ known: [String]) -> ResourceFailure {
        let nearest = didYouMean(nearestName(to: name, among: known), in: "")
        return .refused(
            400, "Bad Request",
            "the query parameter \(parameter) names \(name), which is no collection\(nearest)")
    }

    /// The records with the requested inclusions.
    /// - Throws: if the budget is spent, or memory is short.
    package func including(
        _ inclusions: [Inclusion], in records: [Record], _ view: DataView
    ) throws(ResourceFailure) -> [Record] {
        if inclusions.isEmpty { return records }
        var objects = records.map(\.value)
        var size = 0
        func add(_ value: JSONValue, _ count: Int, to index: Int, as name: String) throws(ResourceFailure) {
            size += count
            guard budget.spend(count, for: Self.work) else { throw .late }
            objects[index][name] = value
        }
        for inclusion in inclusions {
            let others = view.others[inclusion.collection] ?? RecordSet()
            switch inclusion {
            case .members(let collection):
                let members = try members(of: records, RelationNames(collection: name), others)
                for (index, record) in records.enumerated() {
                    let own = members[record.key] ?? []
                    let count = own.reduce(2) { $0 + $1.bytes.count + 1 }
                    try add(.array(own.map { .object($0.value) }), count, to: index, as: collection)
                }
            case .owner(let name, let collection):
                let names = RelationNames(collection: collection)
                try refuseReversed(name, of: collection, records, view)
                for (index, record) in records.enumerated() {
                    guard let owner = names.ownerKey(of: record).flatMap({ others[$0] }) else { continue }
                    try add(.object(owner.value), owner.bytes.count, to: index, as: name)
                }
            }
        }
        // The same owner may be included in any number of records.
        guard session.memory.hasRoom(for: 8 * size, refusing: "a list") else {
            throw .refused(
                507, "Insufficient Storage", "the daemon's memory limit (--max-memory) leaves no room for the list")
        }
        guard budget.tryReserve(4 * size, for: Self.work) else { throw .late }
        return zip(records, objects).map { Record($1, key: $0.key) }
    }

    /// Refuses `_expand` with a collection whose records belong to this one's, which would find nothing.
    /// - Throws: 400 that explains the relation, or if the budget is spent.
    private func refuseReversed(
        _ word: String, of collection: String, _ records: [Record], _ view: DataView
    ) throws(ResourceFailure) {
        guard collection != name, let others = view.others[collection] else { return }
        let (here, there) = (RelationNames(collection: name), RelationNames(collection: collection))
        func hasOwner(_ record: Record, _ names: RelationNames) -> Bool { names.ownerKey(of: record) != nil }
        guard !records.isEmpty, !records.contains(where: { hasOwner($0, there) }) else { return }
        var (isSpent, belong, areBoth) = (false, false, false)
        others.visit { record in
            isSpent = !budget.spend(20, for: Self.work)
            belong = hasOwner(record, here)
            return !isSpent && !belong
        }
        if belong {
            view.records.visit { record in
                isSpent = !budget.spend(20, for: Self.work)
                areBoth = hasOwner(record, there)
                return !isSpent && !areBoth
            }
        }
        if isSpent { throw .late }
        guard belong, !areBoth else { return }
        throw .refused(
            400, "Bad Request",
            "the query parameter _expand names \(word), but the records of \(collection) belong to those of \(name): "
                + "_embed=\(collection) puts them in")
    }

    /// The records that belong to some records of a collection, by the owners' keys.
    /// - Throws: if the budget is spent.
    private func members(
        of owners: [Record], _ names: RelationNames, _ others: RecordSet
    ) throws(ResourceFailure) -> [String: [Record]] {
        let keys = Set(owners.map(\.key))
        var members: [String: [Record]] = [:]
        var isSpent = false
        others.visit { record in
            isSpent = !budget.spend(20, for: Self.work)
            if let key = names.ownerKey(of: record), keys.contains(key) { members[key, default: []].append(record) }
            return !isSpent
        }
        if isSpent { throw .late }
        return members
    }

    // MARK: Removing

    /// The collections whose records are removed with their owners: those that the request names, or all if the
    /// collection declares `cascade`.
    /// - Throws: 400 for an unknown collection.
    func dependents(_ parameters: [(name: String, value: String)]) throws(ResourceFailure) -> [String] {
        let table = session.resources
        if table.cascades(name) { return table.names }
        var dependents: [String] = []
        for (parameter, value) in parameters where parameter == "_dependent" {
            for name in value.split(separator: ",").map(String.init) {
                guard table.names.contains(name) else { throw Self.unknown(parameter, name, table.names) }
                dependents.append(name)
            }
        }
        return dependents
    }

    /// Removes a record and its dependents, in one step.
    package mutating func remove(
        _ key: String, with dependents: [String], _ owner: Owner?
    ) throws(ResourceFailure) -> ResourceReply {
        let table = session.resources
        // In a cascading collection, a removed record also removes its own dependents, of any collection.
        let isDeep = dependents.contains { table.cascades($0) }
        while true {
            let view = try session.view(resource, with: isDeep ? table.names : dependents, mayRead: !isOnLoop)
            try checkVersion(try found(key, view.records, owner))
            let removals = try removals(key, dependents, table, view)
            if session.remove(removals, resource, unchangedSince: view.moment) { return .json(200, Array("{}".utf8)) }
            guard budget.spend(100, for: Self.work) else { throw .late }
        }
    }

    /// The keys to remove, by collection.
    private func removals(
        _ key: String, _ dependents: [String], _ table: ResourceTable, _ view: DataView
    ) throws(ResourceFailure) -> [String: Set<String>] {
        var removals: [String: Set<String>] = [name: [key]]
        var waiting: [(collection: String, keys: Set<String>)] = [(name, [key])]
        while let (collection, keys) = waiting.popLast() {
            let names = RelationNames(collection: collection)
            let affected =
                table.cascades(collection) ? table.names : collection == name ? dependents : []
            for other in affected {
                var found: Set<String> = []
                var isSpent = false
                (other == name ? view.records : view.others[other] ?? RecordSet()).visit { record in
                    isSpent = !budget.spend(20, for: Self.work)
                    if let owner = names.ownerKey(of: record), keys.contains(owner) { found.insert(record.key) }
                    return !isSpent
                }
                if isSpent { throw .late }
                found.subtract(removals[other] ?? [])
                if found.isEmpty { continue }
                removals[other, default: []].formUnion(found)
                waiting.append((other, found))
            }
        }
        return removals
    }
}
