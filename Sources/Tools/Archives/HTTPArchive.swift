package import SDCapture
import SDJSON

/// The exchanges of an HTTP Archive 1.2 (HAR), which browsers and proxies write.
package struct HTTPArchive: Sendable {
    /// The program that wrote the archive, with its version; empty if the archive does not say.
    package private(set) var creator = ""
    /// What stubs can be made of, in the order of time.
    package private(set) var exchanges: [RecordedExchange] = []
    /// The number of entries, read or left out.
    package private(set) var entryCount = 0
    /// The number of entries that were left out, by reason.
    package private(set) var leftOut: [LeftOut: Int] = [:]
    /// What is wrong with entries that were left out while others could be read, at most 100.
    package private(set) var problems: [ArchiveProblem] = []
    /// The number of entries that were changed or lack a part, by kind.
    package private(set) var remarks: [ArchiveRemark: Int] = [:]
    /// The hosts of the exchanges, with their ports where these are not the usual ones, and how many each has; the most
    /// frequent first.
    package var hosts: [(host: String, count: Int)] {
        [String: Int](exchanges.map { (WebAddress($0.url)?.authority ?? "", 1) }, uniquingKeysWith: +)
            .sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { ($0.key, $0.value) }
    }

    /// Reads an archive.
    /// - Parameters:
    ///   - hosts: the hosts whose exchanges are wanted, as `api.example`, `api.example:8443` or `*.example`; empty for all.
    ///   - attachment: the content of a file beside the archive, which entries of Playwright name; nil if there is none.
    /// - Throws: what is wrong with the archive, at most 100 places. An entry that is wrong is left out if others can be read.
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

    /// The most values of an archive: each takes tens of bytes, and two of a file.
    private static let mostValues = 20_000_000

    private static func document(_ bytes: [UInt8]) throws(ArchiveProblems) -> JSONValue {
        if bytes.starts(with: [UInt8(ascii: "P"), UInt8(ascii: "K"), 3, 4]) {
            throw ArchiveProblems(.init("the file is a zip", expected: "the .har within it; unzip it into a folder"))
        }
        guard countsAtMost(mostValues, in: bytes) else {
            throw ArchiveProblems(
                .init("the file has too many values", expected: "at most \(mostValues) values and members"))
        }
        do throws(JSONSyntaxError) {
            return try JSONValue(parsing: bytes)
        } catch {
            throw ArchiveProblems(error)
        }
    }

    /// Whether there are no more values than `most` by the signs between them, of which those in texts do not count.
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

    /// What the tool says of itself, which costs no entry if it is of the wrong type.
    private static func name(of creator: ArchivedValue) -> String {
        ["name", "version"].compactMap { creator[$0].value?.stringValue }.filter { !$0.isEmpty }.joined(separator: " ")
    }

    private mutating func add(_ outcome: ArchivedEntry.Outcome, _ hosts: [String]) {
        switch outcome {
        case .leftOut(let reason): leftOut[reason, default: 0] += 1
        case .exchange(let exchange, let remarks):
            if !hosts.isEmpty, WebAddress(exchange.url)?.isOf(hosts) != true {
                leftOut[.otherHost, default: 0] += 1
                return
            }
            exchanges.append(exchange)
            for remark in remarks { self.remarks[remark, default: 0] += 1 }
        }
    }

    /// Orders the exchanges by time, which sequences of answers need; some tools write them in the order of their ends.
    private mutating func sort() {
        guard exchanges.allSatisfy({ $0.wallTime > 0 }) else { return }
        exchanges = exchanges.enumerated()
            .sorted { ($0.element.wallTime, $0.offset) < ($1.element.wallTime, $1.offset) }.map(\.element)
    }
}

/// The reason why no stub can be made of an entry.
package enum LeftOut: Sendable, Hashable, CaseIterable {
    /// The connection failed, the request was cancelled, or the archive was written before the answer came.
    case noAnswer
    /// The browser or an extension of it refused to send the request.
    case blocked
    /// A `data:`, `blob:`, `file:` or other URL that no server answers.
    case otherScheme
    case webSocket
    /// The CONNECT of a proxy, not what went through it.
    case tunnel
    /// The answer says that the client's copy is good, and the archive does not have the copy.
    case notModified
    /// The answer had a body that the archive does not have.
    case noBody
    /// No stub matched the request, says the archive of a mock server.
    case unmatched
    /// The answer is a part of a body (206), and the archive does not say which part was asked for.
    case partial
    /// The exchange is with a host that was not asked for.
    case otherHost
    /// The entry is wrong.
    case broken

    /// The reason in the words of a list: `3 entries without an answer …`.
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

/// Something about an exchange that is not as the server sent it.
package enum ArchiveRemark: Sendable, Hashable, CaseIterable {
    /// The answer was a 304, and became a 200 with the body from the browser's cache.
    case madeWhole
    /// The request had a body that the archive does not have.
    case noRequestBody
    /// The answer's text was in an encoding that is not written here; it is UTF-8 now, and so its Content-Type says.
    case recoded
    /// The end of the body is missing.
    case cutBody

    /// The remark in the words of a list: `2 entries not modified (304), …`.
    package var text: String {
        switch self {
        case .madeWhole: "not modified (304), made a 200 with the body from the cache"
        case .noRequestBody: "whose request body is not in the archive, so that any body matches"
        case .recoded: "in another charset, now in UTF-8"
        case .cutBody: "whose body is cut short in the archive"
        }
    }
}
