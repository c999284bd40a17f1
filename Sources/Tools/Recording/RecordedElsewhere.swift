import SDBasics
package import SDCapture
package import SDJSON
package import SDMockEngine
package import SDStubModel
package import SDStubs

/// The exchanges recorded by other replicas.
package struct RecordedElsewhere: Sendable {
    /// By the sequence numbers of their events.
    package private(set) var exchanges: [UInt64: RecordedExchange] = [:]
    /// The number of exchanges for which there was no room.
    package private(set) var leftOut = 0

    package init() {}

    /// Parses the others' documents. Invalid ones are skipped.
    package init(_ documents: [[UInt8]]) {
        for document in documents {
            guard let json = try? JSONValue(parsing: document) else { continue }
            leftOut += min(max(json["leftOut"]?.intValue ?? 0, 0), 1 << 32)
            for (sequence, exchange) in (json["exchanges"]?.arrayValue ?? []).compactMap(RecordedExchange.read) {
                exchanges[sequence] = exchange
            }
        }
    }

    /// The maximum size of bodies that one replica sends another, in bytes.
    private static let maxBytes = 64 << 20

    /// This replica's recording, encoded for another one. Copies the bodies: not for a loop.
    package static func json(of traffic: RecordedTraffic) -> JSONValue {
        var (leftOut, bytes) = (traffic.counts.leftOut, 0)
        var exchanges: [JSONValue] = []
        for (sequence, exchange) in traffic.exchanges.sorted(by: { $0.key < $1.key }) {
            bytes += exchange.requestBody.count + exchange.responseBody.count
            guard bytes <= maxBytes else {
                leftOut += 1
                continue
            }
            exchanges.append(exchange.json(sequence: sequence))
        }
        return ["exchanges": .array(exchanges), "leftOut": .number(JSONNumber(leftOut))]
    }
}

/// Stubs that all replicas add: as they answer, and redacted as they are saved.
package struct SharedStubs: Sendable {
    /// The first one is tried first.
    package let mappings: [StubMapping]
    private let written: [StubMapping.ID: StubMapping]

    /// - Throws: the problems of a document that no replica writes.
    package init(_ json: JSONValue) throws(ModelProblems) {
        var mappings: [StubMapping] = []
        for stub in json["mappings"]?.arrayValue ?? [] { mappings.append(try StubMapping(json: stub)) }
        var written: [StubMapping.ID: StubMapping] = [:]
        for json in json["written"]?.arrayValue ?? [] {
            let stub = try StubMapping(json: json)
            written[stub.id] = stub
        }
        (self.mappings, self.written) = (mappings, written)
    }

    /// Splits stubs into documents of roughly at most `mostBytes`, unless a single stub is larger. In the order in
    /// which to add them, so that the earliest exchange is tried first.
    package static func documents(of stubs: RecordedStubs, maxBytes: Int) -> [JSONValue] {
        var documents: [JSONValue] = []
        var (mappings, written, bytes): ([JSONValue], [JSONValue], Int) = ([], [], 0)
        func end() {
            // The stub added last is tried first; within a document, the first.
            if !mappings.isEmpty {
                documents.append(["mappings": .array(mappings.reversed()), "written": .array(written)])
            }
            (mappings, written, bytes) = ([], [], 0)
        }
        for stub in stubs.mappings {
            let json = stub.json(view: .api)
            let size = json.compactText.utf8.count
            if bytes + size > maxBytes { end() }
            mappings.append(json)
            bytes += size
            if let safe = stubs.saved[stub.id] { written.append(safe.json(view: .api)) }
        }
        end()
        return documents
    }

    /// The change that adds them.
    package var change: StubChange { .importAll(StubImport(mappings: mappings)) }

    /// Records their saved forms.
    package func note(in session: Session) {
        session.recordings.note(mappings, saved: written)
    }
}
