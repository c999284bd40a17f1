import SDHTTPMessages
import SDJSON
import SDMockEngine
import SDPlatform
import SDStubModel
import Synchronization

/// Waits for messages of several replicas together, by polling: replicas do not send each other messages.
final class WaitOfAll: Sendable {
    /// The minimum time limit for the others' answers, in milliseconds.
    static let minTime = 3_000
    /// The polling interval, in nanoseconds.
    private static let pause: UInt64 = 100_000_000

    private let call: AdminCall
    private let question: ReplicatedCall
    /// The number of messages to wait for; nil for a call that waits for one.
    private let wanted: Int?
    private let deadline: UInt64
    private let replicas: any ReplicaControl
    /// This replica's answer.
    private let own: @Sendable () -> PlainResponse
    private let state = Mutex(State())

    private struct State: Sendable {
        var response: PlainResponse?
        var isOver = false
        var whenDone: (@Sendable () -> Void)?
    }

    init(
        _ call: AdminCall, _ document: MessageWaitDocument, takesCount: Bool, _ replicas: any ReplicaControl,
        _ own: @escaping @Sendable () -> PlainResponse
    ) {
        self.call = call
        self.replicas = replicas
        self.own = own
        wanted = takesCount ? document.count : nil
        deadline = SystemCalls.monotonicNanoseconds() + UInt64(max(document.timeoutMilliseconds, 0)) * 1_000_000
        var question = ReplicatedCall(call, needsJournal: false)
        let json = (try? call.json()) ?? .null
        question.body = MessageWaitDocument.atOnce(json).compactBytes
        question.fields.removeAll { $0.name == "content-encoding" }
        self.question = question
    }

    /// The answer, from the last poll.
    var response: PlainResponse { state.withLock { $0.response } ?? own() }

    func begin(_ whenDone: @escaping @Sendable () -> Void) {
        state.withLock { $0.whenDone = whenDone }
        ask()
    }

    func end() { state.withLock { $0.isOver = true } }

    private func ask() {
        guard !state.withLock({ $0.isOver }) else { return }
        replicas.ask(question) { [self] result in
            let work = { @Sendable [self] in
                switch result {
                case .failure(let problem): finish(problem.response)
                case .success(let others): heard(others)
                }
            }
            call.session.heavyWork.add(work)
        }
    }

    private func heard(_ others: [[UInt8]]) {
        let own = own()
        let documents = ([own.body] + others).compactMap { try? JSONValue(parsing: $0) }
        let (response, isEnough) = wanted.map { Self.newest($0, of: documents, own) } ?? Self.newest(of: documents, own)
        state.withLock { $0.response = response }
        if isEnough || SystemCalls.monotonicNanoseconds() >= deadline { return finish(response) }
        call.daemon.after(nanoseconds: Self.pause) { [self] in ask() }
    }

    private func finish(_ response: PlainResponse) {
        let whenDone = state.withLock { state in
            state.response = response
            state.isOver = true
            return state.whenDone.take()
        }
        whenDone?()
    }

    /// The newest message.
    private static func newest(of documents: [JSONValue], _ own: PlainResponse) -> (PlainResponse, Bool) {
        let found = documents.filter { $0["eventType"] != nil }
        guard let newest = found.max(by: { time($0) < time($1) }) else { return (own, false) }
        return (.json(newest), true)
    }

    /// The newest `count` messages.
    private static func newest(_ count: Int, of documents: [JSONValue], _ own: PlainResponse) -> (PlainResponse, Bool) {
        let found = documents.flatMap { $0["messageServeEvents"]?.arrayValue ?? [] }.sorted { time($0) > time($1) }
        guard var answer = try? JSONValue(parsing: own.body).objectValue else { return (own, true) }
        answer["messageServeEvents"] = .array(Array(found.prefix(count)))
        return (.json(.object(answer)), found.count >= count)
    }

    private static func time(_ event: JSONValue) -> Substring { (event["timestamp"]?.stringValue ?? "").dropLast() }
}

/// The body of a call that waits for messages.
struct MessageWaitDocument {
    var pattern: MessagePattern?
    var timeoutMilliseconds = 0
    var count = 1

    /// The same call without its timeout.
    static func atOnce(_ json: JSONValue) -> JSONValue {
        var object = json.objectValue ?? JSONObject()
        object["timeoutMillis"] = 0
        return .object(object)
    }

    init(json: JSONValue) throws(ModelProblems) {
        var reader = ModelReader()
        if json.isNull {
            reader.refuse("the body is null", expected: "an object such as {\"timeoutMillis\": 500}", found: "null")
        } else if let object = reader.object(json, .messageWait) {
            for member in object.members {
                reader.member(member, class: .messageWait, of: ["pattern", "timeoutMillis", "count"]) { reader in
                    switch member.key {
                    case "pattern": pattern = MessagePattern.read(member.value, &reader)
                    case "timeoutMillis": timeoutMilliseconds = reader.integer(member.value, .long) ?? 0
                    default: count = reader.integer(member.value, .int) ?? 1
                    }
                }
            }
            if count < 0 {
                reader.within("count") {
                    $0.refuse("a count is not negative", expected: "a number from 0", found: "\(count)")
                }
            }
        }
        timeoutMilliseconds = min(timeoutMilliseconds, 3_600_000)
        guard reader.problems.isEmpty else { throw ModelProblems(reader.problems) }
    }
}
