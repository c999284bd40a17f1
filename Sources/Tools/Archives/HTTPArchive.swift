package import SDCapture
import SDJSON

/// The exchanges of an HTTP Archive 1.2 (HAR), as written by browsers and proxies.
package struct HTTPArchive: Sendable {
    /// The program that wrote the archive, with its version; empty if unknown.
    package private(set) var creator = ""
    /// The exchanges of which stubs can be made, in chronological order.
    package private(set) var exchanges: [RecordedExchange] = []
    /// The number of entries, used or left out.
    package private(set) var entryCount = 0
    /// The number of entries left out, by reason.
    package private(set) var leftOut: [LeftOut: Int] = [:]
    /// The problems of invalid entries, if other entries could be read; at most 100.
    package private(set) var problems: [ArchiveProblem] = []
    /// The number of entries changed or incomplete, by kind.
    package private(set) var warnings: [ArchiveWarning: Int] = [:]
    /// The exchanges' hosts, with non-default ports, and the number of exchanges of each; most frequent first.
    package var hosts: [(host: String, count: Int)] {
        [String: Int](exchanges.map { (WebAddress($0.url)?.authority ?? "", 1) }, uniquingKeysWith: +)
            .sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { ($0.key, $0.value) }
    }

    /// Reads an archive.
    /// - Parameters:
    ///   - hosts: the hosts to include, such as `api.example`, `api.example:8443` or `*.example`; empty for all.
    ///   - attachment: reads a file beside the archive, as named by Playwright's entries; nil if it is missing.
    /// - Throws: the problems of the archive, at most 100. Invalid entries are left out if others can be read.
    package init(
        _ bytes: [UInt8], hosts: [String] = [], attachment: @escaping (String) -> [UInt8]? = { _ in nil }
    ) throws(ArchiveProblems) {
        let root = ArchivedValue(try Self.document(bytes))
        var problems: [ArchiveProblem] = []
        do throws(ArchiveProblem) {
            let log = try root["log"].required("an object with version, creator and entries").object()
            let entries = try log["entries"].required("a list of entries").elements()
            creator = Self.name(of: log["creator"])
            entryCount = entries.count
            for entry in entries {
                do throws(ArchiveProblem) {
                    try add(ArchivedEntry(entry, attachment).outcome(), hosts)
                } catch {
                    leftOut[.broken, default: 0] += 1
                    if problems.count < ArchiveProblems.limit { problems.append(error) }
                }
            }
        } catch {
            throw ArchiveProblems([error], in: bytes)
        }
        if !problems.isEmpty {
            let placed = ArchiveProblems(problems, in: bytes)
            guard !exchanges.isEmpty else { throw placed }
            self.problems = placed.problems
        }
        sort()
    }

    /// The maximum number of values in an archive: each needs tens of bytes, for as little as two in the file.
    private static let maxValues = 20_000_000

    private static func document(_ bytes: [UInt8]) throws(ArchiveProblems) -> JSONValue {
        if bytes.starts(with: [UInt8(ascii: "P"), UInt8(ascii: "K"), 3, 4]) {
            throw ArchiveProblems(.init("the file is a zip", expected: "the .har within it; unzip it into a folder"))
        }
        guard countsAtMost(maxValues, in: bytes) else {
            throw ArchiveProblems(
                .init("the file has too many values", expected: "at most \(maxValues) values and members"))
        }
        do throws(JSONSyntaxError) {
            return try JSONValue(parsing: bytes)
        } catch {
            throw ArchiveProblems(error)
        }
    }

    /// Whether the punctuation outside of texts shows at most `most` values.
    private static func countsAtMost(_ most: Int, in bytes: [UInt8]) -> Bool {
        guard bytes.count > 2 * most else { return true }
        var (count, isInText, isEscaped) = (0, false, false)
        for byte in bytes {
            if isEscaped {
                isEscaped = false
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = isInText
            } else if byte == UInt8(ascii: "\"") {
                isInText.toggle()
            } else if !isInText, byte == UInt8(ascii: ",") || byte == UInt8(ascii: "[") || byte == UInt8(ascii: "{") {
                count += 1
                if count > most { return false }
            }
        }
        return true
    }

    /// The tool's name; a value of the wrong type is ignored.
    private static func name(of creator: ArchivedValue) -> String {
        ["name", "version"].compactMap { creator[$0].value?.stringValue }.filter { !$0.isEmpty }.joined(separator: " ")
    }

    private mutating func add(_ outcome: ArchivedEntry.Outcome, _ hosts: [String]) {
        switch outcome {
        case .leftOut(let reason): leftOut[reason, default: 0] += 1
        case .exchange(let exchange, let warnings):
            if !hosts.isEmpty, WebAddress(exchange.url)?.isOf(hosts) != true {
                leftOut[.otherHost, default: 0] += 1
                return
            }
            exchanges.append(exchange)
            for warning in warnings { self.warnings[warning, default: 0] += 1 }
        }
    }

    /// Sorts the exchanges by time, which sequences of answers need; some tools write entries when they end.
    private mutating func sort() {
        guard exchanges.allSatisfy({ $0.wallTime > 0 }) else { return }
        exchanges = exchanges.enumerated()
            .sorted { ($0.element.wallTime, $0.offset) < ($1.element.wallTime, $1.offset) }.map(\.element)
    }
}

/// Why no stub can be made of an entry.
package enum LeftOut: Sendable, Hashable, CaseIterable {
    /// The connection failed, the request was cancelled, or the archive was written before the answer.
    case noAnswer
    /// The browser or an extension blocked the request.
    case blocked
    /// A `data:`, `blob:`, `file:` or other URL that is not HTTP.
    case otherScheme
    case webSocket
    /// A CONNECT to a proxy, as opposed to the exchanges in the tunnel.
    case tunnel
    /// A 304, and the archive lacks the cached body.
    case notModified
    /// The archive lacks the response's body.
    case noBody
    /// An unmatched request, in the archive of a mock server.
    case unmatched
    /// A part of a body (206), and the archive does not tell which.
    case partial
    /// An exchange with a host that is not included.
    case otherHost
    /// The entry is invalid.
    case broken

    /// The reason as part of a list: `3 entries without an answer …`.
    package var text: String {
        switch self {
        case .noAnswer: "without an answer"
        case .blocked: "blocked by the browser"
        case .otherScheme: "with URLs that no server answers, such as data:"
        case .webSocket: "of WebSockets"
        case .tunnel: "that open a proxy's tunnel (CONNECT)"
        case .notModified: "not modified (304), whose body is not in the archive"
        case .noBody: "whose body is not in the archive"
        case .unmatched: "that no stub matched"
        case .partial: "with a part of a body (206) whose range is not in the archive"
        case .otherHost: "of other hosts"
        case .broken: "that cannot be read"
        }
    }
}

/// A difference between an exchange and what the server sent.
package enum ArchiveWarning: Sendable, Hashable, CaseIterable {
    /// A 304 that became a 200 with the body from the browser's cache.
    case madeWhole
    /// The archive lacks the request's body.
    case noRequestBody
    /// The text's encoding is not supported for writing; body and Content-Type are UTF-8 now.
    case recoded
    /// The end of the body is missing.
    case cutBody

    /// The warning as part of a list: `2 entries not modified (304), …`.
    package var text: String {
        switch self {
        case .madeWhole: "not modified (304), made a 200 with the body from the cache"
        case .noRequestBody: "whose request body is not in the archive, so that any body matches"
        case .recoded: "in another charset, now in UTF-8"
        case .cutBody: "whose body is cut short in the archive"
        }
    }
}
