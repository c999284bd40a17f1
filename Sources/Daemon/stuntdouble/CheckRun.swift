import SDChecking
import SDCommand
import SDHTTPTransport
import SDPlatform
import SDServing
import SDStubModel
import SDUpstream

/// Requests the answers of all stubs, several at a time.
///
/// `@unchecked Sendable`: used on the loop's thread only, or after the loop has ended.
final class CheckRun: @unchecked Sendable {
    enum Outcome {
        /// The stub and the service answered; the comparison says whether anything is missing.
        case compared(AnswerComparison)
        /// No request was made for the stub, or another stub answers its example.
        case skipped(String, Skip)
        /// The service did not answer.
        case failed(String)
    }

    /// Why a stub was not compared.
    enum Skip: String, CaseIterable {
        /// Its answer is not one that a service gives: a fault, a stream.
        case ofNoService = "no answer of a service"
        /// The request may change data, and `--unsafe` was not given.
        case unsafe = "may change something"
        /// No request can be made from its conditions.
        case withoutExample = "without an example"
        /// Another stub answers its example, or none does.
        case unanswered = "not the stub that answers"

        /// Whether skipping for this reason makes the check incomplete.
        var isMissing: Bool { self == .withoutExample || self == .unanswered }
    }

    struct Result {
        let stub: StubReference
        var request: ExampleRequest?
        var outcome: Outcome
    }

    typealias Stub = (reference: StubReference, mapping: StubMapping)

    private let options: CheckOptions
    private let stubs: [Stub]
    private let mock: String
    private let upstream: Upstream
    private let loop: Loop
    private let done: () -> Void
    private var places: [StubMapping.ID: StubReference] = [:]
    private var found: [Result?]
    private var next = 0
    private var underWay = 0

    /// The maximum number of stubs compared at a time.
    private static let width = 4

    /// - Parameters:
    ///   - mock: the base URL of the stubs' server.
    ///   - done: called once, on the loop's thread.
    init(_ options: CheckOptions, _ stubs: [Stub], mock: String, on loop: Loop, _ done: @escaping () -> Void) {
        self.options = options
        self.stubs = stubs
        self.mock = mock
        self.loop = loop
        self.done = done
        found = Array(repeating: nil, count: stubs.count)
        for stub in stubs { places[stub.mapping.id] = stub.reference }
        var settings = UpstreamSettings()
        settings.timeout = Int(options.timeout.milliseconds)
        settings.trustsAll = options.isInsecure
        settings.trustAdvice = "--insecure does not verify it"
        upstream = Upstream(settings)
    }

    /// In the order of the stubs.
    var results: [Result] { found.compactMap(\.self) }

    func begin() {
        while underWay < Self.width, next < stubs.count {
            underWay += 1
            next += 1
            check(next - 1)
        }
        if underWay == 0, next == stubs.count { done() }
    }

    private func end(_ index: Int, _ request: ExampleRequest?, _ outcome: Outcome) {
        found[index] = Result(stub: stubs[index].reference, request: request, outcome: outcome)
        underWay -= 1
        // Posted instead of called, to limit recursion: thousands of stubs may be skipped in a row.
        loop.perform { [self] in begin() }
    }

    private func check(_ index: Int) {
        let request: ExampleRequest
        do throws(NoExample) {
            request = try ExampleRequest(of: stubs[index].mapping, values: values)
        } catch {
            return end(index, nil, .skipped(error.description, error.isOfNoService ? .ofNoService : .withoutExample))
        }
        guard request.isSafe || options.isUnsafe else {
            return end(index, request, .skipped("\(request.method) may change something: --unsafe sends it", .unsafe))
        }
        ask(mock, request, isReal: false) { [self] answer in
            switch answer {
            case .failure(let problem): end(index, request, .failed(problem.description))
            case .success(let stub):
                if let reason = reasonToSkip(index, stub) { return end(index, request, .skipped(reason, .unanswered)) }
                askService(index, request, stub)
            }
        }
    }

    private func askService(_ index: Int, _ request: ExampleRequest, _ stub: Answer) {
        ask(options.target, request, isReal: true) { [self] answer in
            switch answer {
            case .failure(let problem): end(index, request, .failed(problem.description))
            case .success(let service):
                let comparison = AnswerComparison(
                    stub: stub.checked, service: service.checked, comparesBodies: request.method != "HEAD")
                end(index, request, .compared(comparison))
            }
        }
    }

    /// Parameter values by name, from the command line; its headers count too.
    private var values: [String: String] {
        options.headers.reduce(into: options.values) { $0[$1.name] = $0[$1.name] ?? $1.value }
    }

    private func reasonToSkip(_ index: Int, _ answer: Answer) -> String? {
        let id = answer.header("matched-stub-id").flatMap(StubMapping.id(text:))
        if id == stubs[index].mapping.id { return nil }
        guard let other = id.flatMap({ places[$0] }) else { return "no stub answers its example" }
        return "another stub answers its example: \(other.text(in: options.root.path))"
    }

    // MARK: - Calls

    private func ask(
        _ base: String, _ request: ExampleRequest, isReal: Bool,
        _ use: @escaping (Swift.Result<Answer, CallProblem>) -> Void
    ) {
        let url = (base.hasSuffix("/") ? String(base.dropLast()) : base) + request.target
        let given = options.headers.map { ExampleRequest.Field($0.name, $0.value) }
        let (first, second) = isReal ? (given, request.headers) : (request.headers, given)
        var fields =
            first
            + second.filter { field in
                !first.contains { $0.name.lowercased() == field.name.lowercased() }
            }
        for usual in [ExampleRequest.Field("Accept", "*/*"), .init("User-Agent", "stuntdouble/\(Manual.version)")]
        where isReal && !fields.contains(where: { $0.name.lowercased() == usual.name.lowercased() }) {
            fields.append(usual)
        }
        if isReal, let user = URLUser.authorization(of: base),
            !fields.contains(where: { $0.name.lowercased() == "authorization" })
        {
            fields.append(ExampleRequest.Field("Authorization", user))
        }
        var call = UpstreamRequest(request.method, url, headers: fields.map { ($0.name, $0.value) })
        if !request.body.isEmpty || ["POST", "PUT", "PATCH"].contains(request.method) {
            call.body = .bytes(request.body)
        }
        call.checksCertificate = true
        upstream.start(call, on: loop, AnswerReader(use))
    }
}

/// The reason for a missing answer, as a sentence without a full stop.
typealias CallProblem = CheckRun.Problem

extension CheckRun {
    struct Problem: Error, CustomStringConvertible {
        let description: String
    }

    /// A complete answer.
    struct Answer {
        let head: UpstreamHead
        let body: [UInt8]

        func header(_ name: String) -> String? { head.headers.first { $0.name.lowercased() == name }?.value }

        var checked: CheckedAnswer {
            let isZipped = header("content-encoding")?.lowercased().hasSuffix("gzip") == true
            let plain = isZipped ? try? decompressed(body[...], limit: AnswerReader.limit) : nil
            return CheckedAnswer(status: head.status, contentType: header("content-type"), body: plain ?? body)
        }
    }
}

/// Collects an answer.
///
/// `@unchecked Sendable`: called on the loop's thread only.
private final class AnswerReader: UpstreamObserver, @unchecked Sendable {
    /// The maximum size of a compared body in bytes.
    static let limit = 64 << 20

    private let use: (Result<CheckRun.Answer, CallProblem>) -> Void
    private var head: UpstreamHead?
    private var body: [UInt8] = []
    private var isTooLarge = false

    init(_ use: @escaping (Result<CheckRun.Answer, CallProblem>) -> Void) {
        self.use = use
    }

    func upstreamAnswers(_ head: UpstreamHead) { self.head = head }

    func upstreamSends(_ bytes: [UInt8]) {
        isTooLarge = isTooLarge || body.count + bytes.count > Self.limit
        if !isTooLarge { body += bytes }
    }

    func upstreamEnds(_ end: Result<[(name: String, value: String)], UpstreamProblem>) {
        switch end {
        case .failure(let problem): use(.failure(CallProblem(description: problem.message)))
        case .success where isTooLarge:
            use(.failure(CallProblem(description: "the answer has more than \(Self.limit >> 20) MiB")))
        case .success:
            guard let head else { return use(.failure(CallProblem(description: "there was no answer"))) }
            use(.success(CheckRun.Answer(head: head, body: body)))
        }
    }
}
