public import SDStubModel

/// A stub of an operation.
public struct OperationStub: Sendable {
    /// The stub, with the operation in its response.
    public var stub: StubMapping
    /// The index of the operation.
    public var operation: Int
}

extension ServedDescription {
    /// The priority of its stubs: below stubs without one, and above catch-all stubs.
    public static var priority: Int { 9 }

    /// A stub for each operation and path prefix, in insertion order. The last one wins, so literal paths follow
    /// templates.
    /// - Parameters:
    ///   - idSeed: the seed of the stubs' ids.
    ///   - bodies: makes the bodies of callbacks.
    public func stubs(idSeed: String, bodies: RequestBodies = { _ in nil }) -> [OperationStub] {
        let ranked = description.operations.enumerated()
            .map { (index: $0, operation: $1, rank: Self.rank(of: $1.path)) }
            .sorted { $1.rank == $0.rank ? $0.index > $1.index : $1.rank.lexicographicallyPrecedes($0.rank) }
        let heads = Set(description.operations.filter { $0.method == "HEAD" }.map(\.path))
        var stubs: [OperationStub] = []
        stubs.reserveCapacity(ranked.count)
        for (index, operation, _) in ranked {
            for prefix in prefixes(of: operation) {
                var stub = self.stub(of: operation, below: prefix, idSeed, bodies)
                stub.answersHead = operation.method == "GET" && !heads.contains(operation.path)
                stubs.append(OperationStub(stub: stub, operation: index))
            }
        }
        return stubs
    }

    private func stub(
        of operation: APIOperation, below prefix: String, _ idSeed: String, _ bodies: RequestBodies
    ) -> StubMapping {
        var stub = StubMapping.unread
        stub.id = StubMapping.id(hashing: "\(idSeed) openapi \(operation.method) \(prefix)\(operation.path)")
        stub.name = operation.id ?? operation.key
        stub.priority = Self.priority
        stub.request = RequestPattern(
            method: .exactly(operation.method), url: Self.url(prefix + Self.withoutQuery(operation.path)))
        stub.serveEventListeners = listeners(of: operation, bodies)
        stub.response.status = operation.usualStatus
        stub.response.openapi = OpenAPIAnswer(operation.key, document: name)
        return stub
    }

    /// The path of a key without query and fragment, which some documents use to distinguish operations with the same
    /// URL.
    private static func withoutQuery(_ path: String) -> String {
        String(path.prefix { $0 != "?" && $0 != "#" })
    }

    private static func url(_ path: String) -> URLPattern {
        guard path.utf8.contains(UInt8(ascii: "{")) else { return .urlPath(escaped(path)) }
        return .urlPathTemplate(escaped(path))
    }

    /// The path in wire format, with as few escapes as possible outside of variables' names.
    private static func escaped(_ path: String) -> String {
        guard !path.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "%") }) else { return path }
        var text: [UInt8] = []
        var rest = Array(path.utf8)[...]
        while let open = rest.firstIndex(of: UInt8(ascii: "{")),
            let close = rest[open...].firstIndex(of: UInt8(ascii: "}"))
        {
            text += URLEscaping.plainPath(rest[..<open])
            text += rest[open...close]
            rest = rest[(close + 1)...]
        }
        return String(decoding: text + URLEscaping.plainPath(rest), as: UTF8.self)
    }

    /// For each segment, 0 for a literal, 1 for one with variables and other text, 2 for a single variable.
    private static func rank(of path: String) -> [UInt8] {
        path.split(separator: "/", omittingEmptySubsequences: false).map { segment in
            guard segment.contains("{") else { return 0 }
            return segment.hasPrefix("{") && segment.firstIndex(of: "}") == segment.indices.last ? 2 : 1
        }
    }
}

extension APIOperation {
    /// The lowest declared success status, or else the first status; 200 if none is declared.
    public var usualStatus: Int {
        let statuses = responses.compactMap { response -> Int? in
            switch response.code {
            case .status(let status): status
            case .range(let first): first * 100
            case .standard: nil
            }
        }
        return statuses.filter { (200..<300).contains($0) }.min()
            ?? (responses.contains { $0.code == .standard } ? nil : statuses.first { $0 >= 200 }) ?? 200
    }
}
