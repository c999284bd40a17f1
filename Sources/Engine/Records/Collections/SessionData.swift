package import SDPlatform

/// The changed collections of a session: a part of its state, guarded by its lock.
package struct SessionData {
    /// A collection that a request has touched.
    package struct Entry {
        package var records: RecordSet
        /// The fingerprint of the declaration that it started with.
        package var declared: Fingerprint
        /// Whether anything has changed since.
        package var isChanged = false
        /// Whether there are changes that no file has. Only used for collections that are written.
        var isUnwritten = false
        /// The memory of the records that were not declared, in bytes.
        package var weight = 0
        /// The keys of records changed since the last `put`, in order, and whether each record is new.
        fileprivate var touched: [(key: String, isNew: Bool)] = []
        /// Whether all records were replaced since the last `put`.
        fileprivate var isReplaced = false
    }

    /// The changes of a collection that other replicas do not know.
    package struct Changes {
        /// Whether the whole collection was replaced or reset.
        package var isReplaced = false
        /// Whether the new records are its own, rather than the declared ones.
        package var isOwn = false
        package var touched: [(key: String, isNew: Bool)] = []

        package init(isReplaced: Bool = false, isOwn: Bool = false) {
            (self.isReplaced, self.isOwn) = (isReplaced, isOwn)
        }
    }

    /// The changes by collection; nil if they are not tracked.
    package var noted: [String: Changes]?

    package private(set) var entries: [String: Entry] = [:]
    /// The number of changes of all collections.
    package private(set) var changes: UInt64 = 0
    private let charge: MemoryCharge
    private var weight = 0

    package init(_ memory: MemoryLedger) {
        charge = MemoryCharge(0, to: memory.account(.data))
    }

    /// The current collection; nil if no request has touched it since its declaration.
    /// - Parameter keepsChanges: whether changes survive a new declaration.
    package func entry(_ name: String, declared: Fingerprint, keepsChanges: Bool) -> Entry? {
        guard let entry = entries[name] else { return nil }
        return entry.declared == declared || (keepsChanges && entry.isChanged) ? entry : nil
    }

    package mutating func put(_ name: String, _ entry: Entry?) {
        changes += 1
        let change = (entry?.weight ?? 0) - (entries[name]?.weight ?? 0)
        var entry = entry
        if noted != nil { note(name, entry) }
        entry?.touched = []
        entry?.isReplaced = false
        entries[name] = entry
        weight += change
        if change != 0 { charge.add(change) }
    }

    private mutating func note(_ name: String, _ entry: Entry?) {
        guard entry == nil || entry?.isReplaced == true || entry?.touched.isEmpty == false else { return }
        var changes = noted?[name] ?? Changes()
        if entry?.isReplaced != false { changes = Changes(isReplaced: true, isOwn: entry != nil) }
        changes.touched += entry?.touched ?? []
        noted?[name] = changes
    }

    /// Stores what another replica has changed, without tracking it.
    package mutating func takeOver(_ name: String, _ entry: Entry?) {
        let notes = noted
        noted = nil
        put(name, entry)
        noted = notes
    }

    package mutating func removeAll() {
        if noted != nil { noted = [:] }
        entries = [:]
        changes += 1
        charge.add(-weight)
        weight = 0
    }
}

extension SessionData.Entry {
    package init(declared contents: DeclaredCollection.Contents) {
        records = contents.records ?? RecordSet()
        declared = contents.fingerprint
    }

    package mutating func append(_ record: Record) -> Bool {
        guard records.append(record) else { return false }
        changed(nil, record)
        touched.append((record.key, true))
        return true
    }

    package mutating func replace(_ old: Record, with record: Record) {
        guard records.replace(record) else { return }
        changed(old, record)
        touched.append((record.key, false))
    }

    package mutating func remove(_ key: String) -> Record? {
        guard let old = records.remove(key) else { return nil }
        changed(old, nil)
        touched.append((key, false))
        return old
    }

    /// Replaces all records.
    package mutating func set(_ records: RecordSet) {
        self.records = records
        isChanged = true
        isUnwritten = true
        isReplaced = true
        touched = []
        weight = 0
        records.visit { record in
            touched.append((record.key, true))
            if !record.isDeclared { weight += record.weight }
            return true
        }
    }

    /// Applies a record of another replica; nil for a removed one.
    /// - Parameter isNew: whether it is appended.
    package mutating func takeOver(_ key: String, _ record: Record?, isNew: Bool) {
        let old = records[key]
        if let record, let old, !isNew {
            _ = records.replace(record)
            weight += (record.isDeclared ? 0 : record.weight) - (old.isDeclared ? 0 : old.weight)
        } else {
            if let old = records.remove(key), !old.isDeclared { weight -= old.weight }
            if let record, records.append(record), !record.isDeclared { weight += record.weight }
        }
        isChanged = true
    }

    /// Restarts without records.
    package mutating func takeOverNothing() {
        (records, weight, isChanged) = (RecordSet(), 0, true)
    }

    private mutating func changed(_ old: Record?, _ new: Record?) {
        isChanged = true
        isUnwritten = true
        if let old, !old.isDeclared { weight -= old.weight }
        if let new, !new.isDeclared { weight += new.weight }
    }
}
