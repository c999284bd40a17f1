import SDAnswering
import SDHTTPTransport
import SDJSON
import SDJournal
import SDStubModel
import SDStubs

/// The stubs that answered a session's events in a batch; each is sent once.
struct PackedStubs {
    /// How another replica finds a stub. The raw value is the byte in a batch.
    enum Kind: UInt8 {
        /// By its id.
        case current
        /// By its document, because the session no longer has that version.
        case former
        /// The stub that proxies unmatched requests, by the settings.
        case passThrough
    }

    private struct Entry {
        let kind: Kind
        let stub: CompiledStub
        /// The stub that has this response, if it has several; else the stub itself.
        let owner: CompiledStub
    }

    private var entries: [Entry] = []
    private var places: [ObjectIdentifier: Int] = [:]
    private var last: (stub: CompiledStub, number: Int)?

    /// The number of an event's stub, from 1; 0 for an event without one. Called under the lock of the session.
    mutating func number(of event: ServeEvent, in state: borrowing Session.State) -> Int {
        guard let stub = event.matched else { return 0 }
        // Usually the same stub as before.
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
                // A stub that moved or was copied on write has the same response.
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

    /// Writes the number of a response among those of its stub, from 1; 0 for a stub with one response.
    private func pack(indexOf entry: Entry, to writer: inout PackedWriter) {
        let place = entry.owner.lifecycle?.responses?.stubs.firstIndex { $0 === entry.stub }
        writer.add(count: place.map { $0 + 1 } ?? 0)
    }

    // MARK: Reading

    /// A stub as read from a batch.
    struct Read {
        let kind: Kind
        fileprivate let id: StubMapping.ID?
        fileprivate let index: Int
        /// The stub compiled from a document.
        fileprivate let former: CompiledStub?

        /// - Throws: what is wrong with the bytes.
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

        /// The stub, or the response of it that answered; nil if this replica has none.
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

        /// A placeholder for a stub that was removed here.
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
        /// The stub that has this response, if it has several.
        let owner: CompiledStub?
        /// Whether it is a placeholder, which is not counted.
        let isStandIn: Bool
    }
}
