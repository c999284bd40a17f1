package import SDPlatform

/// The collections of a session, as its requests have changed them. A part of its state, guarded by its lock.
package struct SessionData {
    /// A collection that a request has touched.
    package struct Entry {
        package var records: RecordSet
        /// Tells which declaration it began with.
        package var declared: Fingerprint
        /// Whether anything was changed since.
        package var isChanged = false
        /// Whether anything was changed that no file has. Asked of collections that are written.
        var isUnwritten = false
        /// The memory of the records that it was not declared with, in bytes.
        package var weight = 0
        /// The keys of records that have changed since it was put, in order, and whether each is of a new record.
        fileprivate var touched: [(key: String, isNew: Bool)] = []
        /// Whether all records were replaced since.
        fileprivate var isReplaced = false
    }

    /// The changes of a collection of which other replicas do not know.
    package struct Changes {
        /// Whether it is another collection than before: replaced, or as it was declared.
        package var isReplaced = false
        /// Whether what replaced it are records of their own, rather than the declared ones.
        package var isOwn = false
        package var touched: [(key: String, isNew: Bool)] = []

        package init(isReplaced: Bool = false, isOwn: Bool = false) {
            (self.isReplaced, self.isOwn) = (isReplaced, isOwn)
        }
    }

    /// What has changed, by collection; nil where nobody asks for it.
    package var noted: [String: Changes]?

    package private(set) var entries: [String: Entry] = [:]
    /// The number of changes of all collections.
    package private(set) var changes: UInt64 = 0
    private let charge: MemoryCharge
    private var weight = 0

    package init(_ memory: MemoryLedger) {
        charge = MemoryCharge(0, to: memory.account(.data))
    }

    /// The collection as it is now; nil if no request has touched it since it was declared.
    /// - Parameter keepsChanges: whether what was changed stays, although the declaration is another one.
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

    /// Puts what another replica has changed, of which nothing is noted.
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

    /// Replaces everything.
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

    /// Takes a record as another replica has it; nil for one that is gone.
    /// - Parameter isNew: whether it comes behind all others.
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

    /// Begins anew without records.
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
