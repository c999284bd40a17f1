import SDHTTPTransport
import SDJournal
import SDReports
import SDStubModel

/// The first kinds of requests that a session got, with the stub or file that answered each; bounded memory.
struct RequestKinds: Sendable {
    private var entries: [Entry] = []

    /// The longest stored part of a URL or path, in bytes.
    private static let longest = 300

    private struct Entry {
        var asked: Report.Asked
        let path: [UInt8]
        /// Whether the kind counts as answered, rather than as unmatched or failed.
        let isAnswered: Bool
    }

    private struct Kind: Hashable {
        let method: [UInt8]
        let url: [UInt8]
        let stub: StubMapping.ID?
        let status: Int?
        let isOpen: Bool
        let ending: String?
    }

    /// - Parameters:
    ///   - most: the largest number of kinds.
    ///   - open: the sequence numbers of events that have not ended.
    init(
        _ events: some Sequence<ServeEvent>, most: Int, open: Set<UInt64>, _ redaction: Redaction?
    ) {
        var places: [Kind: Int] = [:]
        for event in events {
            let request = event.request
            let isOpen = open.contains(event.sequence)
            let status = isOpen ? nil : event.seenStatus
            let kind = Kind(
                method: Array(request.method), url: Array(request.placeBytes.prefix(Self.longest)),
                stub: event.reportedStub?.id, status: status, isOpen: isOpen,
                ending: isOpen || status != nil ? nil : event.endingByFault)
            if let place = places[kind] {
                entries[place].asked.count += 1
            } else if entries.count < most {
                places[kind] = entries.count
                let url = redaction.place(of: request)
                let isSentOn = event.proxied?.isPassedThrough == true
                var asked = Report.Asked(
                    method: String(decoding: request.method, as: UTF8.self),
                    url: url.utf8.count > Self.longest ? url.prefix(Self.longest) + "…" : url, count: 1,
                    status: status, stub: event.reportedStub,
                    answer: event.file.map { "the file \($0)" }
                        ?? (isSentOn ? event.failure == nil ? "sent on" : "could not be sent on" : nil))
                (asked.isOpen, asked.ending, asked.rule) = (isOpen, kind.ending, event.extras?.rule)
                entries.append(
                    Entry(
                        asked: asked,
                        path: Array(request.path.prefix(Self.longest)),
                        isAnswered: !event.isUnmatched && event.failure == nil))
            }
        }
    }

    var count: Int { entries.count }

    /// Keeps the first kinds only.
    mutating func cut(to most: Int) { entries = Array(entries.prefix(most)) }

    /// Returns the kinds, and the number of answered requests that `isIgnored` excludes.
    /// - Parameter isIgnored: whether requests for a path are excluded.
    func findings(ignoring isIgnored: ([UInt8]) -> Bool) -> (asked: [Report.Asked], ignored: Int) {
        var (asked, ignored): ([Report.Asked], Int) = ([], 0)
        for entry in entries {
            if !isIgnored(entry.path) {
                asked.append(entry.asked)
            } else if entry.isAnswered {
                ignored += entry.asked.count
            }
        }
        return (asked, ignored)
    }
}

extension ServeEvent {
    /// The status that the client got; nil if nothing was sent or a fault withheld it.
    fileprivate var seenStatus: Int? {
        // A refusal is not counted in `bytesSent`.
        let isSent = end.map { $0.bytesSent > 0 || $0.outcome == .refused } ?? true
        guard let status, status > 0, fault == nil, isSent else { return nil }
        return status
    }

    /// The name of the fault that replaced the answer; nil for none.
    fileprivate var endingByFault: String? { fault?.rawValue ?? faults.last?.name }
}
