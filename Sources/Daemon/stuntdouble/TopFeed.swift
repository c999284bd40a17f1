import SDBasics
import SDCommand
import SDJSON
import SDPlatform
import SDTerminalView
import Synchronization

/// Reads a daemon's events and asks it questions, each on its own thread, so that the view never blocks.
final class TopFeed: Sendable {
    enum News: Sendable {
        case events([TrafficEvent])
        case connected
        case lost
        /// The watched session has ended.
        case ended
        case refused(AdminClientProblem)
        case overview(health: JSONValue?, counters: JSONValue?, sessions: JSONValue?)
        case gates([(session: TrafficRow.Session?, answer: JSONValue)])
        case explanation(String, TopExplanation?)
        case exchange(String, JSONValue?)
        case curl(String)
        case said(String)
    }

    private struct State {
        var news: [News] = []
        var events = 0
        var questions: [TopAction] = []
        var isConnected = false
    }

    private let client: AdminClient
    private let state = Mutex(State())
    /// Wakes the reader of the news.
    private let told: SystemCalls.Pipe
    /// Wakes the thread that asks questions.
    private let asked: SystemCalls.Pipe

    init(_ client: AdminClient) throws(SystemError) {
        self.client = client
        told = try SystemCalls.makePipe()
        asked = try SystemCalls.makePipe()
    }

    /// In seconds. The daemon sends a comment every 15 seconds.
    private static let longestSilence = 40
    /// The maximum number of events queued for the view; the daemon buffers further ones.
    private static let maxEvents = 20_000

    /// The descriptor that is readable while there is news.
    var number: Int32 { told.output.number }

    /// Returns and removes the news.
    func take() -> [News] {
        told.drain()
        return state.withLock { state in
            defer { (state.news, state.events) = ([], 0) }
            return state.news
        }
    }

    /// Queues a question of the view.
    func ask(_ question: TopAction) {
        state.withLock { $0.questions.append(question) }
        asked.wake()
    }

    private func tell(_ news: News) {
        state.withLock { state in
            state.news.append(news)
            switch news {
            case .events(let events): state.events += events.count
            case .connected: state.isConnected = true
            case .lost, .ended: state.isConnected = false
            default: break
            }
        }
        told.wake()
    }

    // MARK: - Events

    /// Starts to read events, reconnecting after a break.
    /// - Parameter after: the sequence number of the request after which to start; nil for new requests only.
    func watch(after: Int?) throws(SystemError) {
        try SystemThread(name: "events") { [self] in readEvents(after) }.detach()
    }

    /// A variant of the call for events.
    private struct Call {
        let path: String
        /// Whether the call starts after a time instead of a sequence number.
        var beginsAtTime = false
    }

    /// The variants, best first; older daemons reject those that they do not know.
    private static let calls = [
        Call(path: "/events?view=row&sessions=all", beginsAtTime: true), Call(path: "/events?view=row"),
        Call(path: "/events"),
    ]

    private func readEvents(_ after: Int?) {
        var reader = EventReader()
        var calls = Self.calls[...]
        var pause: Int32 = 500
        while let call = calls.first {
            var path = call.path
            var fields: [String] = []
            if let id = reader.lastID {
                fields = ["Last-Event-ID: \(id)"]
            } else if let after {
                // For all sessions, replay everything kept: their sequence numbers are unrelated.
                path += (path.contains("?") ? "&" : "?") + "after=\(call.beginsAtTime ? 0 : after)"
            }
            let status = readEvents(path, fields, &reader)
            switch status {
            case 200: pause = 500
            case 400, 422:
                calls = calls.dropFirst()
                continue
            case 410: return tell(.ended)
            case 401, 403:
                return tell(
                    .refused(
                        AdminClientProblem(
                            "\(client.server.text) refuses the stream of events with \(status)",
                            fix: "give --admin-token as the daemon has it")))
            case 404 where client.server.path.contains(text: "/__session/"): return tell(.ended)
            default: break
            }
            tell(.lost)
            SystemCalls.pause(milliseconds: pause)
            pause = min(pause * 2, 5_000)
        }
    }

    /// Reads one stream to its end.
    /// - Returns: the status; 0 if there is no answer.
    private func readEvents(_ path: String, _ fields: [String], _ reader: inout EventReader) -> Int {
        guard let socket = try? client.begin(path, fields: fields, idleSeconds: Self.longestSilence) else { return 0 }
        var head: [UInt8] = []
        var end: Int?
        while end == nil {
            guard head.count < 65_536, let bytes = try? SystemCalls.readSome(socket.number), !bytes.isEmpty else {
                return 0
            }
            head += bytes
            end = (3..<max(head.count, 3)).first { head[($0 - 3)...$0].elementsEqual([13, 10, 13, 10]) }
        }
        let words = head.prefix { $0 != 13 }.split(separator: UInt8(ascii: " "))
        guard words.count > 1, let status = Int(String(decoding: words[1], as: UTF8.self)) else { return 0 }
        guard status == 200 else { return status }
        tell(.connected)
        // Events before a break are complete, or are sent again.
        var bytes = Array(head[((end ?? 0) + 1)...])
        reader.begin()
        while true {
            let events = reader.read(bytes)
            if !events.isEmpty { tell(.events(events)) }
            while state.withLock({ $0.events > Self.maxEvents }) { SystemCalls.pause(milliseconds: 10) }
            guard let more = try? SystemCalls.readSome(socket.number), !more.isEmpty else { return status }
            bytes = more
        }
    }

    // MARK: - Questions

    /// Starts to answer questions, and to poll what is shown besides requests.
    func answer() throws(SystemError) {
        try SystemThread(name: "questions") { [self] in answerQuestions() }.detach()
    }

    private func answerQuestions() {
        var overview = TopOverview()
        var nextGates = SystemCalls.monotonicMilliseconds()
        var nextCounts = nextGates
        while true {
            let wait = max(0, min(nextGates, nextCounts) - SystemCalls.monotonicMilliseconds())
            _ = SystemCalls.waitReadable(anyOf: [asked.output.number], milliseconds: Int32(clamping: min(wait, 1_000)))
            asked.drain()
            let questions = state.withLock { state in
                defer { state.questions = [] }
                return state.questions
            }
            for question in questions { answer(question) }
            guard state.withLock({ $0.isConnected }) else {
                nextGates = SystemCalls.monotonicMilliseconds() + 200
                continue
            }
            // A daemon with many stubs is polled less often: at most a tenth of the time.
            if SystemCalls.monotonicMilliseconds() >= nextGates {
                nextGates = timed(atLeast: 1_000) { tell(.gates(client.gates(overview))) }
            }
            if SystemCalls.monotonicMilliseconds() >= nextCounts {
                nextCounts = timed(atLeast: 1_000) {
                    let sessions = try? client.call("GET", "/sessions")
                    if let sessions { overview.take(sessions: sessions) }
                    tell(
                        .overview(
                            health: try? client.call("GET", "/health"),
                            counters: try? client.call("GET", "/requests/counters"), sessions: sessions))
                }
            }
        }
    }

    /// Runs `body` and returns the time of the next run, which depends on how long this one took.
    private func timed(atLeast least: Int64, _ body: () -> Void) -> Int64 {
        let start = SystemCalls.monotonicMilliseconds()
        body()
        let end = SystemCalls.monotonicMilliseconds()
        return end + max(least, (end - start) * 10)
    }

    private func answer(_ question: TopAction) {
        switch question {
        case .explain(let row): tell(.explanation(row.id, client(of: row.session?.id)?.explanation(of: row)))
        case .load(let row):
            tell(.exchange(row.id, try? client(of: row.session?.id)?.call("GET", "/requests/\(row.id)?details=true")))
        case .curl(let row):
            if let answer = try? client(of: row.session?.id)?.ask("GET", "/requests/\(row.id)/curl") {
                tell(.curl(String(decoding: answer.body, as: UTF8.self)))
            } else {
                tell(.said("it is no longer in the journal"))
            }
        case .release(let gate, let id, let session): release(gate, id, session)
        default: break
        }
    }

    private func client(of session: String?) -> AdminClient? {
        session.map { client.client(ofSession: $0) } ?? client
    }

    private func release(_ gate: String, _ id: String?, _ session: String?) {
        let body: JSONValue = id.map { ["id": .string($0)] } ?? [:]
        do throws(AdminClientProblem) {
            let answer = try client(of: session)?.call(
                "POST", "/gates/\(AdminClient.segment(gate))/release", body: body)
            let released = answer?["released"]?.intValue ?? 0
            let done = "released \(released.of("request")) at \(gate)"
            tell(.said(released == 0 ? "no request waits there any more" : done))
        } catch {
            tell(.said(error.message))
        }
    }
}

extension AdminClient {
    /// Why a request was not matched; nil if unknown.
    func explanation(of row: TrafficRow) -> TopExplanation? {
        if let answer = try? call("GET", "/requests/\(row.id)/explain") { return TopExplanation(answer) }
        // An older daemon gets the request itself to explain.
        guard let request = (try? call("GET", "/requests/\(row.id)"))?["request"] else { return nil }
        var asked: JSONObject = ["method": .string(row.method), "url": request["url"] ?? .string(row.url)]
        asked["headers"] = request["headers"]
        if let body = request["body"]?.stringValue, !body.isEmpty { asked["body"] = .string(body) }
        return (try? call("POST", "/explain", body: .object(asked))).map { TopExplanation($0) }
    }

    /// A text escaped as a path segment.
    static func segment(_ text: String) -> String {
        let digits = Array("0123456789ABCDEF")
        return text.utf8.reduce(into: "") { result, byte in
            let scalar = Unicode.Scalar(byte)
            if scalar.isASCII,
                scalar.properties.isAlphabetic || scalar.properties.numericType != nil || "-._~".utf8.contains(byte)
            {
                result.unicodeScalars.append(scalar)
            } else {
                result += "%\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
            }
        }
    }

    /// The sequence number of the journal's last request; 0 if it is empty.
    func lastSequence() -> Int {
        (try? call("GET", "/requests?details=true&limit=1"))?["requests"]?[0]?["sequence"]?.intValue ?? 0
    }
}
