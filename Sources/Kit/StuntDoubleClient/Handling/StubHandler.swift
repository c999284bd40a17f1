import SDJSON
import SDStubModel

/// Answers the requests of one stub with code of the test: they wait at the stub's gate and are released with the
/// code's answer.
struct StubHandler: Sendable {
    typealias Respond = @Sendable (MockServer.ReceivedRequest) async throws -> ResponseDefinition

    let server: MockServer
    let stub: Stub.ID
    let pattern: Stub.Request
    let priority: Int?
    let callSite: CallSite
    let failures: HandlerFailures
    let respond: Respond

    /// The stub; its own answer is sent only if the test ends first.
    var mapping: SDStubModel.StubMapping {
        var response = ResponseDefinition(status: 500)
        response.hold = GateHold(gate)
        return SDStubModel.StubMapping(
            id: stub, name: "handler at \(callSite.fileID):\(callSite.line)", request: pattern.model,
            response: response,
            priority: priority)
    }

    private var gate: String { "handler-" + stub.lowercasedString }

    /// Answers requests concurrently until the list ends.
    func answerAll(_ requests: AsyncStream<JSONValue>) async {
        await withTaskGroup(of: Void.self) { group in
            for await event in requests {
                group.addTask { await answer(event) }
            }
            group.cancelAll()
        }
    }

    private func answer(_ event: JSONValue) async {
        let id = event["id"]?.stringValue ?? ""
        do {
            let request = try await read(event, id)
            let response: ResponseDefinition
            do {
                response = try await respond(request)
            } catch is CancellationError {
                return
            } catch let problem as Stub.Problem {
                return try await fail("returned what cannot be sent: \(problem)", event, id)
            } catch {
                return try await fail("threw: \(error)", event, id, cause: error)
            }
            do {
                try await release(id, with: response)
            } catch let error as MockServerError where error.status == 422 {
                try await fail("returned what cannot be sent: \(error.message)", event, id)
            }
        } catch is CancellationError {
            return
        } catch {
            failures.add(failure("could not be asked: \(error)", event), server.reporter)
        }
    }

    /// Reads the request of an event, with its whole body. An event leaves a large body out: it is fetched from the
    /// gate, or from the journal if the client has disconnected or the server is older.
    /// - Throws: `MockServerError` if the body cannot be fetched or the event cannot be read.
    private func read(_ event: JSONValue, _ id: String) async throws -> MockServer.ReceivedRequest {
        var event = event
        if event["request"]?["bodyTruncatedFrom"] != nil {
            do {
                let waiting = try await server.admin("GET", "/gates/\(gate)/requests/\(id)")
                event = event.replacing("request", by: waiting["request"])
            } catch let error as MockServerError where error.status == 404 {
                event = try await server.admin("GET", "/requests/\(id)?details=true")
            }
        }
        return try AdminResult(call: "GET /__admin/events", answer: ServerAnswer(status: 200)).request(event)
    }

    /// Answers with 500 and records the failure.
    /// - Throws: like `release`.
    private func fail(_ what: String, _ event: JSONValue, _ id: String, cause: (any Error)? = nil) async throws {
        var failure = failure(what, event)
        failure.cause = cause
        failures.add(failure, server.reporter)
        var response = ResponseDefinition(status: 500)
        response.headers = [ResponseHeader("Content-Type", ["text/plain; charset=utf-8"])]
        response.body = failure.description + "\n"
        try await release(id, with: response)
    }

    private func failure(_ what: String, _ event: JSONValue) -> VerificationFailure {
        VerificationFailure(
            "the handler of \(pattern.summary) \(what)\nfor \(FailureText.request(event))", at: callSite)
    }

    /// Releases the request. It appears in the journal shortly before it waits at the gate.
    /// - Throws: `MockServerError` if the server cannot be reached or rejects the call; `CancellationError` if the
    ///   handler is cancelled.
    private func release(_ id: String, with response: ResponseDefinition) async throws {
        let body: JSONValue = ["id": .string(id), "response": response.json]
        let bytes = body.compactBytes
        for pause in [0, 1, 2, 4, 8, 16, 32, 64, 128] {
            if pause > 0 { await KitThreads.pause(milliseconds: pause) }
            try Task.checkCancellation()
            let result = try await server.call("POST", "/gates/\(gate)/release", body: bytes)
            guard try result.json["released"]?.intValue == 0 else { return }
        }
        // The client has disconnected.
    }
}
