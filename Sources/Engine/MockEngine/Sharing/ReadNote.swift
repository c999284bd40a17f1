import SDContracts
import SDHTTPTransport
import SDJSON
import SDJournal
import SDReports
import SDStubModel
import Synchronization

/// A note of another replica's ledgers, as read from a batch.
enum ReadNote {
    case refusal(Report.Refusal, path: [UInt8]?)
    case violations([Violation], ContractCounters.Side, contract: String, subject: (index: Int?, text: String))
    /// A webhook by its number on that replica; nil if it needs no further reporting.
    case webhook(Int, Report.Webhook?)
    /// The result of a verification; nil if it holds.
    case verification(String, (name: String, text: String)?)
    /// The number of connections that a fault has acted on.
    case acts(StubMapping.ID, Int)

    init(_ reader: inout PackedReader) throws(PackedReader.Problem) {
        switch CounterNotes.Kind(rawValue: try reader.byte()) {
        case .refusal:
            guard let kind = Report.Refusal.Kind(rawValue: try reader.text()) else {
                throw .init("a refusal is of an unknown kind")
            }
            let (subject, reason) = (try reader.text(), try reader.text())
            let file = try reader.optionalText()
            let line = try reader.count(upTo: 1 << 30)
            let place = file.map { FileLocation(file: $0, line: line > 0 ? line : nil) }
            let path = try reader.flag() ? try reader.array() : nil
            var refusal = Report.Refusal(kind, subject, reason, at: place)
            if try reader.flag() { refusal.nearest = try Report.NearestMessageStub(&reader) }
            self = .refusal(refusal, path: path)
        case .violations:
            guard let side = ContractCounters.Side(rawValue: try reader.text()) else {
                throw .init("a contract has no such side")
            }
            let (contract, text) = (try reader.text(), try reader.text())
            let index = try reader.count(upTo: 1 << 30)
            var violations: [Violation] = []
            for _ in 0..<(try reader.count()) { violations.append(try Violation(&reader)) }
            self = .violations(violations, side, contract: contract, subject: (index > 0 ? index - 1 : nil, text))
        case .webhook:
            let number = try reader.count(upTo: 1 << 62)
            self = .webhook(number, try reader.flag() ? try Report.Webhook(&reader) : nil)
        case .verification:
            let key = try reader.text()
            self = .verification(key, try reader.flag() ? (try reader.text(), try reader.text()) : nil)
        case .acts:
            guard let id = StubMapping.id(text: try reader.text()) else { throw .init("a fault has no id") }
            self = .acts(id, try reader.count(upTo: 1 << 30))
        case nil: throw .init("a note is of an unknown kind")
        }
        guard reader.isAtEnd else { throw .init("a note goes on behind its end") }
    }
}

extension Report.Refusal {
    func pack(path: [UInt8]?, to writer: inout PackedWriter) {
        writer.add(kind.rawValue)
        writer.add(subject)
        writer.add(reason)
        writer.add(optional: place?.file)
        writer.add(count: place?.line ?? 0)
        writer.add(byte: path == nil ? 0 : 1)
        if let path { writer.add(path) }
        writer.add(byte: nearest == nil ? 0 : 1)
        nearest?.pack(to: &writer)
    }
}

extension Report.NearestMessageStub {
    fileprivate func pack(to writer: inout PackedWriter) {
        writer.add(stub.id.lowercasedString)
        writer.add(optional: stub.name)
        writer.add(optional: stub.file)
        writer.add(stub.key)
        writer.add(change)
    }

    fileprivate init(_ reader: inout PackedReader) throws(PackedReader.Problem) {
        guard let id = StubMapping.id(text: try reader.text()) else { throw .init("a message stub has no id") }
        let (name, file) = (try reader.optionalText(), try reader.optionalText())
        let stub = StubReference(id: id, name: name, file: file, line: nil, key: try reader.text())
        self.init(stub: stub, change: try reader.text())
    }
}

extension Violation {
    func pack(to writer: inout PackedWriter) {
        writer.add(location.rawValue)
        writer.add(optional: name)
        writer.add(count: pointer.tokens.count)
        for token in pointer.tokens { writer.add(token) }
        writer.add(optional: keyword)
        writer.add(message)
        writer.add(optional: expected)
        writer.add(optional: found)
    }

    fileprivate init(_ reader: inout PackedReader) throws(PackedReader.Problem) {
        guard let location = Location(rawValue: try reader.text()) else { throw .init("a violation is nowhere") }
        let name = try reader.optionalText()
        var tokens: [String] = []
        for _ in 0..<(try reader.count()) { tokens.append(try reader.text()) }
        self.init(
            location, name: name, pointer: JSONPointer(tokens), keyword: try reader.optionalText(),
            message: try reader.text(), expected: try reader.optionalText(), found: try reader.optionalText())
    }
}

extension Session {
    /// Applies a note of another replica's ledgers.
    /// - Parameters:
    ///   - isCurrent: whether the session was not reset since.
    ///   - replica: the number of that replica.
    func ingest(_ note: ReadNote, isCurrent: Bool, of replica: UInt64) {
        switch note {
        case .refusal(let refusal, let path): keep(refusal, path: path)
        case .violations(let violations, let side, let contract, let subject):
            keep(violations, in: side, contract, subject) { _ in }
        case .webhook(let number, let webhook): webhookLedger.take(number, webhook, of: replica)
        case .verification(let key, let unmet): if isCurrent { verifications.take(key, unmet) }
        case .acts(let id, let count):
            state.withLock { state in
                if let fault = state.faults.first(where: { $0.id == id }) {
                    state.faultLedger.note(fault.program, elsewhere: count)
                }
            }
        }
    }

    /// Whether another replica answered the request of an event.
    func isElsewhere(_ event: ServeEvent) -> Bool {
        shared.journal.map { !$0.hasHad(number: JournalOutbox.replica(of: event.sequence)) } ?? false
    }
}
