import SDRecords
import SDStubModel
import Synchronization

/// The session's state and collections as the fields that replicas exchange.
extension Session {
    /// A record that another replica has written, or its removal.
    private struct Move {
        let key: String
        let place: Int
        let record: Record?
    }

    /// Applies a grant to the session's state and collections.
    /// - Returns: false if the session was reset meanwhile; nothing is changed then.
    /// - Throws: if the server has fields that no replica writes; nothing is changed then.
    func takeOver(_ grant: DataGrant, _ fields: inout DataFields) throws(DecisionProblem) -> Bool {
        if grant.kind == .nothing { return decisionKey == grant.key }
        if grant.kind == .whole { fields = DataFields() }
        let unsent = Set(fields.unsent.map(\.name))
        var contexts: [(name: String, context: PlacedContext?)] = []
        var collections: [String: DataFields.Collection] = [:]
        var moves: [String: [Move]] = [:]
        for field in grant.fields where !unsent.contains(field.name) {
            switch try DataFields.meaning(field.name) {
            case .context(let name):
                guard let value = field.value else {
                    contexts.append((name, nil))
                    continue
                }
                contexts.append((name, try DataFields.context(value)))
            case .collection(let name):
                if let value = field.value { collections[name] = try DataFields.collection(value) }
            case .record(let name, let key):
                guard let value = field.value else {
                    moves[name, default: []].append(Move(key: key, place: -1, record: nil))
                    continue
                }
                let (place, record) = try DataFields.record(value, key: key)
                moves[name, default: []].append(Move(key: key, place: place, record: record))
            }
        }
        let names = Set(collections.keys).union(moves.keys)
        let table = names.isEmpty ? ResourceTable.none : resources
        for name in names { refresh(name, in: table) }
        let before = fields
        let after: DataFields? = state.withLock { state in
            guard state.lastReset == grant.key.reset else { return nil }
            var fields = before
            if grant.kind == .whole {
                states.removeAll()
                _ = states.takeChanges()
                state.data.removeAll()
            }
            states.takeOver(contexts)
            for name in names.sorted() {
                takeOver(name, collections[name], moves[name] ?? [], table, &state.data, &fields)
            }
            conditions.add(1, ordering: .releasing)
            return fields
        }
        guard let after else { return false }
        fields = after
        return true
    }

    /// Reloads the files of a collection that is unchanged here.
    private func refresh(_ name: String, in table: ResourceTable) {
        guard let declaration = table.declaration(name), !declaration.fileNames.isEmpty,
            withData({ data, _ in data.entries[name] == nil })
        else { return }
        report(declaration.refresh(files, hasData: true))
    }

    private func takeOver(
        _ name: String, _ news: DataFields.Collection?, _ moves: [Move], _ table: ResourceTable,
        _ data: inout SessionData, _ fields: inout DataFields
    ) {
        var collection = fields.collections[name] ?? DataFields.Collection()
        var isAnew = false
        if var news {
            isAnew = news.generation != collection.generation
            news.places = isAnew ? [:] : collection.places
            collection = news
        }
        defer { fields.collections[name] = collection }
        guard let declaration = table.declaration(name) else { return }
        let declared = SessionData.Entry(declared: declaration.contents)
        // If the declared records differ, changes of them are void, as in one process.
        guard
            collection.isOwn || collection.declared == declared.declared.value || keepsChangedData
                || declaration.definition.write == true
        else { return }
        var entry =
            isAnew
            ? declared
            : data.entry(name, declared: declared.declared, keepsChanges: keepsChangedData) ?? declared
        if isAnew, collection.isOwn { entry.takeOverNothing() }
        // A replaced collection drops its fields.
        for move in moves.sorted(by: { $0.place < $1.place }) where !isAnew || move.place >= 0 {
            let known = collection.places[move.key] ?? (entry.records[move.key] == nil ? nil : 0)
            entry.takeOver(move.key, move.record, isNew: known != move.place)
            collection.places[move.key] = move.place < 0 ? nil : move.place
        }
        if news != nil { entry.records.keyState = collection.keys }
        data.takeOver(name, entry)
    }

    // MARK: Changes

    /// The changes since the grant was given; everything if the server had no data.
    func takeDataChanges(since grant: DataGrant, _ fields: inout DataFields) -> [DataField] {
        let table = resources
        let before = fields
        let (changes, after) = state.withLock { state -> ([DataField], DataFields) in
            var fields = before
            // Changes of a request that began before the reset are dropped by the reset.
            guard state.lastReset == grant.key.reset else {
                states.removeAll()
                _ = states.takeChanges()
                state.data.removeAll()
                conditions.add(1, ordering: .releasing)
                return ([], DataFields())
            }
            var changes: [DataField] = []
            let contexts = states.takeChanges()
            let all = grant.kind == .nothing ? states.allPlaced : contexts
            for (name, context) in all {
                changes.append(DataField(DataFields.name(.context(name)), context.map { DataFields.value($0) }))
            }
            var noted = state.data.noted ?? [:]
            if grant.kind == .nothing {
                for name in fields.collections.keys where noted[name] == nil { noted[name] = SessionData.Changes() }
            }
            for name in noted.keys.sorted() {
                var change = noted[name] ?? SessionData.Changes()
                if grant.kind == .nothing, let entry = state.data.entries[name], entry.isChanged {
                    change = SessionData.Changes(isReplaced: true, isOwn: true)
                    entry.records.visit { record in
                        change.touched.append((record.key, true))
                        return true
                    }
                }
                changes += self.changes(of: name, change, table, state.data, &fields)
            }
            if state.data.noted != nil { state.data.noted = [:] }
            let newer = Set(changes.map(\.name))
            if grant.kind != .nothing { changes = fields.unsent.filter { !newer.contains($0.name) } + changes }
            fields.unsent = []
            return (changes, fields)
        }
        fields = after
        return changes
    }

    private func changes(
        of name: String, _ change: SessionData.Changes, _ table: ResourceTable, _ data: SessionData,
        _ fields: inout DataFields
    ) -> [DataField] {
        var collection = fields.collections[name] ?? DataFields.Collection()
        var changes: [DataField] = []
        let entry = data.entries[name]
        let isOther = collection.declared != (entry?.declared.value ?? 0) && collection.declared != 0
        let declaration = table.declaration(name)
        if change.isReplaced || (isOther && !keepsChangedData && declaration?.definition.write != true) {
            for key in collection.places.keys.sorted() {
                changes.append(DataField(DataFields.name(.record(name, key: key)), nil))
            }
            collection.places = [:]
            collection.generation += 1
            collection.isOwn = change.isOwn
        }
        collection.declared = entry?.declared.value ?? 0
        for (key, isNew) in change.touched where isNew {
            collection.places[key] = collection.next
            collection.next += 1
        }
        let declared = collection.isOwn ? nil : declaration?.contents.records
        var seen: Set<String> = []
        for (key, _) in change.touched where seen.insert(key).inserted {
            let field = DataFields.name(.record(name, key: key))
            if let record = entry?.records[key] {
                let place = collection.places[key] ?? 0
                collection.places[key] = place
                changes.append(DataField(field, DataFields.value(record, place: place)))
            } else if declared?[key] != nil {
                collection.places[key] = 0
                changes.append(DataField(field, DataFields.value(nil, place: 0)))
            } else {
                collection.places[key] = nil
                changes.append(DataField(field, nil))
            }
        }
        if let entry { collection.keys = entry.records.keyState }
        changes.append(DataField(DataFields.name(.collection(name)), DataFields.value(collection)))
        fields.collections[name] = collection
        return changes
    }
}
