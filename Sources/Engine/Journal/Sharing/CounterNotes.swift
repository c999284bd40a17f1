package import SDReports
import SDStubModel
package import SDWireValues
import Synchronization

/// Notes of a session's ledgers, for reports, on their way to the other replicas.
package final class CounterNotes: Sendable {
    package enum Kind: UInt8, Sendable {
        case refusal = 1
        case violations, webhook, verification, acts
    }

    package struct Note: Sendable {
        package let kind: Kind
        package let bytes: [UInt8]
    }

    /// The largest number of waiting bytes.
    private static let most = 4 << 20

    private let journal: SharedJournal
    private let state = Mutex(State())

    private struct State {
        weak var owner: (any JournalOwner)?
        var waiting: [Note] = []
        var bytes = 0
        var isListed = false
    }

    package init(_ journal: SharedJournal) {
        self.journal = journal
    }

    /// Sets the owner, once, before the first note.
    package func belong(to owner: any JournalOwner) { state.withLock { $0.owner = owner } }

    /// Adds a note, on any thread.
    package func add(_ kind: Kind, _ write: (inout PackedWriter) -> Void) {
        var writer = PackedWriter()
        write(&writer)
        let note = Note(kind: kind, bytes: writer.bytes)
        let unlisted = state.withLock { state -> (any JournalOwner)? in
            guard state.bytes + note.bytes.count <= Self.most else {
                journal.droppedCount.add(1, ordering: .relaxed)
                return nil
            }
            state.waiting.append(note)
            state.bytes += note.bytes.count
            guard !state.isListed, let owner = state.owner else { return nil }
            state.isListed = true
            return owner
        }
        if let unlisted { journal.noted.withLock { $0.append(unlisted) } }
    }

    /// Takes the notes that other replicas do not know.
    package func take() -> [Note] {
        state.withLock { state in
            defer { (state.waiting, state.bytes, state.isListed) = ([], 0, false) }
            return state.waiting
        }
    }

    /// Drops the waiting notes of these kinds.
    package func forget(_ kinds: Set<Kind>) {
        state.withLock { state in
            state.waiting.removeAll { kinds.contains($0.kind) }
            state.bytes = state.waiting.reduce(0) { $0 + $1.bytes.count }
        }
    }
}

extension Report.Webhook {
    func pack(to writer: inout PackedWriter) {
        writer.add(method)
        writer.add(url)
        writer.add(state.rawValue)
        writer.add(text)
        writer.add(byte: stub == nil ? 0 : 1)
        if let stub {
            writer.add(stub.id.lowercasedString)
            writer.add(optional: stub.name)
            writer.add(optional: stub.file)
            writer.add(count: stub.line ?? 0)
            writer.add(stub.key)
        }
    }

    package init(_ reader: inout PackedReader) throws(PackedReader.Problem) {
        let (method, url) = (try reader.text(), try reader.text())
        guard let state = State(rawValue: try reader.text()) else { throw .init("a webhook's state is unknown") }
        let text = try reader.text()
        var stub: StubReference?
        if try reader.flag() {
            guard let id = StubMapping.id(text: try reader.text()) else { throw .init("a stub has no id") }
            let (name, file) = (try reader.optionalText(), try reader.optionalText())
            let line = try reader.count(upTo: 1 << 30)
            stub = StubReference(
                id: id, name: name, file: file, line: line > 0 ? line : nil, key: try reader.text())
        }
        self.init(method: method, url: url, stub: stub, state: state, text: text)
    }
}
