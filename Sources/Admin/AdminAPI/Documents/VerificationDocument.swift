import SDJSON
import SDJournal
import SDLinting
import SDMockEngine
import SDStubModel

/// The expected requests and the timeout: the body of `POST /__admin/requests/verify` and, with one expectation, of
/// `POST /__admin/requests/wait`.
struct VerificationDocument: Sendable {
    private(set) var expected = ExpectedRequests([])
    /// The timeout in milliseconds; 0 answers at once.
    private(set) var timeoutMilliseconds: Int
    /// Warnings about it.
    private(set) var warnings = CallWarnings()

    private init(timeoutMilliseconds: Int = 0) {
        self.timeoutMilliseconds = timeoutMilliseconds
    }

    static let timeouts = 0...3_600_000
    static let sequences = 0...Int.max
    /// The maximum number of expectations. Each costs time for every request.
    static let maxExpectations = 200
}

// MARK: Wait

extension VerificationDocument {
    /// Reads `{"pattern", "count", "name", "since", "timeoutMs"}`.
    /// - Throws: all problems.
    static func wait(_ json: JSONValue) throws(ModelProblems) -> VerificationDocument {
        var reader = ModelReader(warns: true, rejectsIneffective: true)
        var expectation = Expectation(pattern: RequestPattern())
        var document = VerificationDocument(timeoutMilliseconds: 5_000)
        if let object = reader.document(json, such: #"{"pattern": {"urlPath": "/orders"}}"#) {
            for member in object.members {
                guard reader.knows(member.key, of: Expectation.fieldNames + ["since", "timeoutMs"]) else {
                    continue
                }
                if Expectation.fieldNames.contains(member.key) {
                    expectation.read(member, &reader)
                } else {
                    document.readBounds(member, &reader)
                }
            }
            Expectation.requirePattern(in: object, &reader)
        }
        document.expected.expectations = [expectation]
        try document.finish(&reader) { _ in [] }
        return document
    }

    private mutating func readBounds(_ member: JSONObject.Member, _ reader: inout ModelReader) {
        guard !member.value.isNull else { return }
        reader.within(member.key) { reader in
            if member.key == "since" {
                expected.since = reader.sequenceNumber(member.value) ?? 0
            } else {
                timeoutMilliseconds = reader.timeout(member.value) ?? timeoutMilliseconds
            }
        }
    }
}

// MARK: Verify

extension VerificationDocument {
    private static let fieldNames = ["expectations", "inOrder", "nothingElse", "since", "timeoutMs"]

    /// Reads `{"expectations": [{"pattern", "count", "name"}], "inOrder", "nothingElse", "since", "timeoutMs"}`.
    /// - Throws: all problems.
    static func verify(_ json: JSONValue) throws(ModelProblems) -> VerificationDocument {
        var reader = ModelReader(warns: true, rejectsIneffective: true)
        var document = VerificationDocument()
        if let object = reader.document(json, such: #"{"expectations": [{"pattern": {"urlPath": "/orders"}}]}"#) {
            for member in object.members where reader.knows(member.key, of: fieldNames) {
                switch member.key {
                case "expectations": reader.within(member.key) { document.readExpectations(member.value, &$0) }
                case "since", "timeoutMs": document.readBounds(member, &reader)
                default: break
                }
            }
            if object["expectations"] == nil {
                reader.refuse("missing expectations", expected: "a list \"expectations\"", found: nil)
            }
            // Both depend on the other members.
            if let order = object["inOrder"] { reader.within("inOrder") { document.readOrder(order, &$0) } }
            if let rest = object["nothingElse"] { reader.within("nothingElse") { document.readRest(rest, &$0) } }
        }
        try document.finish(&reader) { ["expectations", String($0)] }
        return document
    }

    /// Rejects patterns that can never match as intended, whose verdict would mislead, and warns about doubtful ones.
    /// - Parameter path: the pointer to an expectation in the document.
    /// - Throws: all problems.
    private mutating func finish(
        _ reader: inout ModelReader, path: (Int) -> [String]
    ) throws(ModelProblems) {
        warnings.add(reader.warnings)
        for (index, expectation) in expected.expectations.enumerated() where !reader.isFull {
            for finding in PatternLint.findings(in: expectation.pattern, at: path(index) + ["pattern"]) {
                if finding.code.isNeverMeant { reader.report(finding.problem) } else { warnings.add([finding.problem]) }
            }
        }
        guard reader.problems.isEmpty else { throw ModelProblems(reader.problems) }
    }

    private mutating func readExpectations(_ value: JSONValue, _ reader: inout ModelReader) {
        guard case .array(let elements) = value, elements.count <= Self.maxExpectations else {
            reader.refuse(
                "not a list of expectations", expected: "a list of at most \(Self.maxExpectations)",
                found: value.shortDescription)
            return
        }
        for (index, element) in elements.enumerated() where !reader.isFull {
            var expectation = Expectation(pattern: RequestPattern())
            reader.within(String(index)) { reader in
                guard let object = reader.document(element, such: #"{"pattern": {"urlPath": "/orders"}}"#) else {
                    return
                }
                for member in object.members where reader.knows(member.key, of: Expectation.fieldNames) {
                    expectation.read(member, &reader)
                }
                Expectation.requirePattern(in: object, &reader)
            }
            expected.expectations.append(expectation)
        }
    }

    /// Reads an order: `true` is the list's order; a list of lists has indices into it.
    private mutating func readOrder(_ value: JSONValue, _ reader: inout ModelReader) {
        switch value {
        case .null, .bool(false): expected.chains = []
        case .bool(true): expected.chains = [Array(expected.expectations.indices)]
        case .array(let elements) where elements.allSatisfy({ $0.arrayValue != nil }):
            expected.chains = reader.elements(elements) { readChain($0.arrayValue ?? [], &$1) }
        default:
            reader.refuse(
                "not an order", expected: "true, or lists of places in the expectations such as [[0, 1], [2, 3]]",
                found: value.shortDescription)
        }
    }

    private func readChain(_ elements: [JSONValue], _ reader: inout ModelReader) -> [Int] {
        let count = expected.expectations.count
        return reader.elements(elements) { element, reader in
            reader.accept(
                element.intValue.flatMap { 0..<count ~= $0 ? $0 : nil }, of: element, "not the place of an expectation",
                count == 0
                    ? "no place, since there are no expectations" : "a whole number from 0 to \(count - 1)")
        }
    }

    private mutating func readRest(_ value: JSONValue, _ reader: inout ModelReader) {
        switch value {
        case .null, .bool(false): expected.nothingElseSince = nil
        case .bool(true): expected.nothingElseSince = expected.since
        case .object(let object) where object.keys == ["since"]:
            for member in object.members {
                reader.within(member.key) { expected.nothingElseSince = $0.sequenceNumber(member.value) }
            }
        default:
            reader.refuse(
                "not true or false", expected: "true, or {\"since\": 17}",
                found: value.shortDescription
            )
        }
    }
}

// MARK: Idle

/// The body of `POST /__admin/requests/idle`: `{"quietMs", "timeoutMs"}`, both optional.
struct IdleDocument: Sendable, Hashable {
    var quietMilliseconds = 100
    var timeoutMilliseconds = 5_000

    init() {}

    init(json: JSONValue) throws(ModelProblems) {
        var reader = ModelReader()
        if let object = reader.document(json, such: #"{"quietMs": 100}"#) {
            for member in object.members where reader.knows(member.key, of: ["quietMs", "timeoutMs"]) {
                guard !member.value.isNull else { continue }
                reader.within(member.key) { reader in
                    guard let milliseconds = reader.timeout(member.value) else { return }
                    if member.key == "quietMs" {
                        quietMilliseconds = milliseconds
                    } else {
                        timeoutMilliseconds = milliseconds
                    }
                }
            }
        }
        guard reader.problems.isEmpty else { throw ModelProblems(reader.problems) }
    }
}

extension ModelReader {
    /// Reads the members of a document that WireMock does not have.
    mutating func document(_ value: JSONValue, such example: String) -> JSONObject? {
        if case .object(let object) = value { return object }
        refuse("not an object", expected: "an object such as \(example)", found: value.shortDescription)
        return nil
    }

    fileprivate mutating func timeout(_ value: JSONValue) -> Int? {
        wholeNumber(value, in: VerificationDocument.timeouts, "a number of milliseconds")
    }

    fileprivate mutating func sequenceNumber(_ value: JSONValue) -> UInt64? {
        wholeNumber(value, in: VerificationDocument.sequences, "a sequence").map { UInt64($0) }
    }
}
