import SDPlatform

/// The parts of a request that need an allocation to read: body, form, cookies, parts, origin. Each is decoded when a
/// stub first needs it, and shared by all stubs. Belongs to one request and its thread.
package final class RequestContent {
    private let contentType: ArraySlice<UInt8>?
    /// The body as sent.
    private let sent: ArraySlice<UInt8>
    private var knownOrigin: RequestOrigin?
    private var knownCookies: [QueryParameter]?

    /// The maximum number of fields in a form: their memory does not depend on their sizes.
    private static let maxFields = 1_000_000
    /// The minimum cost of parsing a form, in nanoseconds.
    private static let searchOfByte = 1
    private static let decodingOfField = 400
    private static let decodingOfByte = 3
    private static let formType = "application/x-www-form-urlencoded".bytes
    private static let contentTypeName = Array("content-type".utf8)

    private let budget: WorkBudget
    private let limit: BodyLimit
    /// The minimum size of a body of which only the start was read; nil if it was read completely.
    private(set) var wholeBody: Int?

    /// The limit for a decompressed body.
    enum BodyLimit {
        /// A request with a larger body is rejected.
        case refusing(Int)
        /// At most this much is decompressed and shown.
        case showing(Int)

        /// The limit for matchers.
        static let matching = BodyLimit.refusing(100 << 20)
    }

    /// - Parameter budget: the budget for parsing.
    init(_ request: some MatchableRequest, _ budget: WorkBudget, _ limit: BodyLimit = .matching) {
        self.budget = budget
        self.limit = limit
        contentType = request.firstHeader(Self.contentTypeName)
        sent = request.body
    }

    /// The request's destination and source. `request` must be the one from which this was made.
    package func origin(of request: some MatchableRequest) -> RequestOrigin {
        if let knownOrigin { return knownOrigin }
        let origin = RequestOrigin(request)
        knownOrigin = origin
        return origin
    }

    /// The cookies in order. `request` must be the one from which this was made.
    package func cookies(of request: some MatchableRequest) -> [QueryParameter] {
        if let knownCookies { return knownCookies }
        let cookies = Cookies.parse(request)
        knownCookies = cookies
        return cookies
    }

    /// The body for matchers; nil if it is empty, which string matchers take as absent.
    package private(set) lazy var body: ParsedDocument? = {
        let plain = plainBody()
        guard !plain.isEmpty else { return nil }
        return ParsedDocument(binary: plain, text: text(of: plain), budget)
    }()

    /// The body in UTF-8; empty if the budget does not suffice for decoding.
    private func text(of plain: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let encoding = TextEncoding(contentType: contentType)
        if encoding.isUTF8(plain) { return plain }
        let work = WorkBudget.Work("text", "of \(plain.count) bytes that are not UTF-8")
        return budget.tryReserve(TextEncoding.nanosecondsAByte * plain.count, for: work) ? encoding.utf8(plain) : []
    }

    /// The body without gzip coding. Like WireMock, this goes by the first bytes instead of `Content-Encoding`. A body
    /// that only looks like gzip stays unchanged.
    private func plainBody() -> ArraySlice<UInt8> {
        if GzipReader.isGzip(sent), let plain = try? inflated() { return plain }
        guard case .showing(let limit) = limit, sent.count > limit else { return sent }
        wholeBody = sent.count
        return sent.prefix(limit)
    }

    /// Decompresses the body as far as the limit and the budget allow.
    /// - Throws: if it is not gzip.
    private func inflated() throws(GzipProblem) -> ArraySlice<UInt8> {
        let work = WorkBudget.Work("gzip body", "of \(sent.count) bytes")
        let most =
            switch limit {
            case .refusing(let most), .showing(let most): most
            }
        var reader = GzipReader(sent)
        var plain: [UInt8] = []
        plain.reserveCapacity(min(reader.likelySize, most + GzipReader.pieceSize))
        while !reader.isOver {
            guard budget.spend(GzipReader.pieceSize / 16, for: work) else { return [] }
            try reader.read(into: &plain)
            guard plain.count > most else { continue }
            switch limit {
            case .refusing:
                budget.refuse("holds more than \(most >> 20) MiB, the most that is decompressed", for: work)
                return []
            case .showing:
                wholeBody = max(reader.statedSize, plain.count)
                return plain.prefix(most)
            }
        }
        return plain[...]
    }

    /// The fields of a form; empty if the body is not a form or cannot be decoded.
    package private(set) lazy var form: [QueryParameter] = {
        guard let contentType, let body else { return [] }
        let type = contentType.map { $0 &- 0x41 < 26 ? $0 | 0x20 : $0 }
        guard type[...].contains(Self.formType) else { return [] }
        let work = WorkBudget.Work("form", "of \(body.binary.count) bytes")
        guard budget.tryReserve(Self.searchOfByte * body.binary.count, for: work) else { return [] }
        var count = 0
        let decoding = QueryDecoding(form: TextEncoding(contentType: contentType))
        let fields = decoding.parameters(of: body.binary) { size in
            count += 1
            if count > Self.maxFields {
                budget.refuse("has more than \(Self.maxFields) fields, the most that are read", for: work)
            }
            return budget.tryReserve(Self.decodingOfField + Self.decodingOfByte * size, for: work)
        }
        return fields ?? []
    }()

    package var isMultipart: Bool { Multipart.isMultipart(contentType) }

    package private(set) lazy var parts: [BodyPart] = {
        guard let contentType, let body, isMultipart else { return [] }
        return Multipart.parts(of: body.binary, contentType: contentType, budget)
    }()
}
