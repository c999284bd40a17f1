import SDAnswering
import SDHTTPTransport
import SDJSON
import SDJournal
import SDStubModel
import SDStubs

/// The stubs that answered the events of a batch in one session, each of which is told once.
struct HandedStubs {
    /// How another replica finds a stub. The raw value is the byte in a batch.
    enum Kind: UInt8 {
        /// By its id.
        case current
        /// By its document, as the session has it no more in that form.
        case former
        /// It sends on what nothing answers, as the settings say.
        case passThrough
    }

    private struct Entry {
        let kind: Kind
        let stub: CompiledStub
        /// The stub that it belongs to, if that has several responses; else itself.
        let owner: CompiledStub
    }

    private var entries: [Entry] = []
    private var places: [ObjectIdentifier: Int] = [:]
    private var last: (stub: CompiledStub, number: Int)?

    /// The number of an event's stub, from 1; 0 for an event without one. Called under the lock of the session.
    mutating func number(of event: ServeEvent, in state: borrowing Session.State) -> Int {
        guard let stub = event.matched else { return 0 }
        // Mostly the same one again.
        if let last, last.stub === stub { return last.number }
        let number = places[ObjectIdentifier(stub)] ?? add(stub, event, state)
        last = (stub, number)
        return number
    }

    private mutating func add(_ stub: CompiledStub, _ event: ServeEvent, _ state: borrowing Session.State) -> Int {
        let owner = event.extras?.owner as? CompiledStub ?? stub
        let kind: Kind =
            if event.proxied?.isPassedThrough == true {
                .passThrough
            } else if let known = state.stubs.stub(stub.id), known.response === owner.response {
                // One that has moved, or was adopted, has the same response.
                .current
            } else {
                .former
            }
        entries.append(Entry(kind: kind, stub: stub, owner: owner))
        places[ObjectIdentifier(stub)] = entries.count
        return entries.count
    }

    /// Whether other replicas have the response of a stub.
    func isKnown(_ number: Int) -> Bool { number > 0 && entries[number - 1].kind != .passThrough }

    func pack(to writer: inout PackedWriter) {
        writer.add(count: entries.count)
        for entry in entries {
            writer.add(byte: entry.kind.rawValue)
            switch entry.kind {
            case .passThrough: break
            case .current:
                writer.add(entry.stub.id.lowercasedString)
                pack(indexOf: entry, to: &writer)
            case .former:
                writer.add(entry.owner.mapping.json(view: .file).compactBytes)
                writer.add(optional: entry.owner.file)
                writer.add(count: entry.owner.line ?? 0)
                pack(indexOf: entry, to: &writer)
            }
        }
    }

    /// Writes the place of a response among those of its stub, from 1; 0 for a stub with one response.
    private func pack(indexOf entry: Entry, to writer: inout PackedWriter) {
        let place = entry.owner.lifecycle?.responses?.stubs.firstIndex { $0 === entry.stub }
        writer.add(count: place.map { $0 + 1 } ?? 0)
    }

    // MARK: Reading

    /// A stub as a batch tells it.
    struct Read {
        let kind: Kind
        fileprivate let id: StubMapping.ID?
        fileprivate let index: Int
        /// The stub of a document.
        fileprivate let former: CompiledStub?

        /// - Throws: what is wrong.
        init(_ reader: inout PackedReader, _ options: ResponseOptions) throws(PackedReader.Problem) {
            guard let kind = Kind(rawValue: try reader.byte()) else { throw .init("a stub is of an unknown kind") }
            self.kind = kind
            switch kind {
            case .passThrough: (id, former, index) = (nil, nil, 0)
            case .current:
                guard let id = StubMapping.id(text: try reader.text()) else { throw .init("a stub's id is no UUID") }
                self.id = id
                former = nil
                index = try reader.count(upTo: 1 << 20)
            case .former:
                let document = try reader.array()
                let file = try reader.optionalText()
                let line = try reader.count(upTo: 1 << 30)
                index = try reader.count(upTo: 1 << 20)
                guard let json = try? JSONValue(parsing: document), let mapping = try? StubMapping(json: json) else {
                    throw .init("a stub's document cannot be read")
                }
                id = mapping.id
                former = try? CompiledStub(
                    mapping, sequence: 0, file: file, line: line > 0 ? line : nil, options: options)
            }
        }

        /// The stub and, if it has several responses, the one that answered; nil if there is none here.
        func found(in state: borrowing Session.State, _ options: ResponseOptions) -> Found {
            switch kind {
            case .passThrough: return Found(matched: state.snapshot.passThrough, owner: nil, isStandIn: false)
            case .current, .former: break
            }
            let known = kind == .former ? former : id.flatMap { state.stubs.stub($0) }
            guard let known else { return Found(matched: standIn(options), owner: nil, isStandIn: true) }
            guard index > 0, let responses = known.lifecycle?.responses?.stubs, index <= responses.count else {
                return Found(matched: known, owner: nil, isStandIn: kind == .former)
            }
            return Found(matched: responses[index - 1], owner: known, isStandIn: kind == .former)
        }

        /// In place of a stub that is gone here.
        private func standIn(_ options: ResponseOptions) -> CompiledStub? {
            guard let id else { return nil }
            var mapping = StubMapping(id: id)
            mapping.name = "a stub that this replica no longer has"
            return try? CompiledStub(mapping, sequence: 0, file: nil, options: options)
        }
    }

    /// A stub as this process has it.
    struct Found {
        let matched: CompiledStub?
        /// The stub that it belongs to, if that has several responses.
        let owner: CompiledStub?
        /// Whether it is none of the session's, so that nothing of it is counted.
        let isStandIn: Bool
    }
}
