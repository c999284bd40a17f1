import SDExplanations
import SDHTTPMessages
import SDHTTPTransport
import SDJSON
import SDJournal
import SDMatching
import SDMockEngine
import SDStubModel
import Synchronization

/// `/__admin/requests/wait`, `verify` and `idle`: calls that answer when a condition holds, or when their time is up.
enum WaitingRoutes {
    static let all: [AdminRoute] = [
        AdminRoute("POST", "/requests/wait", later: wait).matching.reading,
        AdminRoute("POST", "/requests/verify", later: verify).matching.reading,
        AdminRoute("POST", "/requests/idle", later: idle).reading,
    ]

    // MARK: Requests

    private static func wait(_ call: AdminCall) throws(AdminError) -> AdminAnswer {
        let document = try call.read { json throws(ModelProblems) in try VerificationDocument.wait(json) }
        return try answer(call, document, isWait: true) { verification throws(StubRefusal) in
            try call.session.noted(verification.result()).waitAnswer(of: call.session)
        }
    }

    private static func verify(_ call: AdminCall) throws(AdminError) -> AdminAnswer {
        let document = try call.read { json throws(ModelProblems) in try VerificationDocument.verify(json) }
        return try answer(call, document, isWait: false) { verification throws(StubRefusal) in
            try call.session.noted(verification.result()).verifyAnswer(of: call.session)
        }
    }

    private static func answer(
        _ call: AdminCall, _ document: VerificationDocument, isWait: Bool,
        _ answer: @escaping @Sendable (Verification) throws(StubRefusal) -> JSONValue
    ) throws(AdminError) -> AdminAnswer {
        let isWaiting = document.timeoutMilliseconds > 0 && call.session.keepsJournal
        let verification: Verification
        do {
            verification = try call.session.verification(document.expected, isWait: isWait, isWaiting: isWaiting)
        } catch {
            throw AdminError(error)
        }
        let warnings = document.warnings
        call.log(warnings)
        let response: @Sendable () -> PlainResponse = {
            do throws(StubRefusal) {
                return PlainResponse.json(warnings.added(to: try answer(verification))).adding(warnings.headers)
            } catch {
                return AdminError(error).response
            }
        }
        if !isWaiting || verification.isDecided {
            if isWaiting { verification.cancel() }
            return .now(response())
        }
        return .later { reply in
            hold(
                call, reply, milliseconds: document.timeoutMilliseconds, response, onceHeard: verification.whenDecided,
                cancel: verification.cancel, onceReady: verification.whenSettled)
        }
    }

    // MARK: Quiet

    private static func idle(_ call: AdminCall) throws(AdminError) -> AdminAnswer {
        let isEmpty = call.request.body.isEmpty
        let document =
            try isEmpty ? IdleDocument() : call.read { json throws(ModelProblems) in try IdleDocument(json: json) }
        let session = call.session
        let daemon = call.daemon
        let watch = session.idleWatch(quietMilliseconds: document.quietMilliseconds) { nanoseconds, work in
            daemon.after(nanoseconds: nanoseconds, work)
        }
        let response: @Sendable () -> PlainResponse = {
            let isIdle = watch.isIdle
            let inFlight = session.inFlight(everywhere: true)
            var json: JSONObject = ["idle": .bool(isIdle)]
            json["inFlight"] = isIdle ? 0 : number(inFlight.total)
            if !isIdle { json["requests"] = inFlight.rows(of: session) }
            if !isIdle, inFlight.webhooks > 0 { json["webhooks"] = number(inFlight.webhooks) }
            return .json(.object(json))
        }
        if document.timeoutMilliseconds == 0 || watch.isIdle { return .now(response()) }
        return .later { reply in
            hold(
                call, reply, milliseconds: document.timeoutMilliseconds, response, onceHeard: watch.whenIdle,
                cancel: watch.cancel)
        }
    }

    // MARK: Waiting

    /// Answers when the condition holds, when the time is up, or when the daemon stops; stops waiting if the client
    /// disconnects.
    static func hold(
        _ call: AdminCall, _ reply: consuming DeferredReply, milliseconds: Int,
        _ response: @escaping @Sendable () -> PlainResponse,
        onceHeard: (@escaping @Sendable () -> Void) -> Void, cancel: @escaping @Sendable () -> Void,
        onceReady: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void = { $0() }
    ) {
        let daemon = call.daemon
        let waiting = call.waiting
        guard let held = waiting.hold(reply, response) else { return cancel() }
        // Made off the loop, where `onceReady` calls it, since it may match.
        let answer: @Sendable () -> Void = { onceReady { held.answer(response) } }
        let deadline = daemon.after(nanoseconds: UInt64(milliseconds) &* 1_000_000, answer)
        held.whenOver {
            deadline.cancel()
            cancel()
            waiting.remove(held)
        }
        // Posted, so that the awaited request's client does not wait for this answer.
        onceHeard { daemon.after(nanoseconds: 0, answer) }
    }
}
