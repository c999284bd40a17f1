import SDHTTPMessages
import SDHTTPTransport
import SDMatching
import SDMockEngine
import SDPlatform
import SDStubModel
import SDStubs

/// Calls that may use the disk: they run off the loop, and are answered afterwards.
extension AdminCall {
    /// Changes the stubs and answers: at once if the disk is not needed.
    /// - Parameters:
    ///   - refusal: the answer if the change was rejected.
    ///   - answer: the answer if the change was made; its argument tells whether the named stubs existed.
    func change(
        _ change: StubChange,
        refusal: @escaping @Sendable (StubRefusal) -> AdminError = { AdminError($0) },
        _ answer: @escaping @Sendable (_ wasThere: Bool) throws(AdminError) -> PlainResponse
    ) -> AdminAnswer {
        .later { [session, rehearsal] reply in
            let owed = OneShotReply(reply)
            if let rehearsal {
                return session.rehearse(change) { reason in
                    if let reason { rehearsal.note(refusal(reason).response) }
                    owed.answer(.empty)
                }
            }
            let end: @Sendable (Session.ChangeOutcome) -> Void = { outcome in
                let response = PlainResponse { () throws(AdminError) in
                    switch outcome {
                    case .success(let wasThere): try answer(wasThere)
                    case .failure(let error): throw refusal(error)
                    }
                }
                // A reset may have removed faults of the port.
                session.applyPortFaults { _ in owed.answer(response) }
            }
            if let outcome = session.perform(change, orLater: end) { end(outcome) }
        }
    }

    /// The answer of a route.
    func answer(by route: AdminRoute) -> AdminAnswer {
        do {
            return try route.answer(self)
        } catch {
            return .now(error.response)
        }
    }

    private var hasLongBody: Bool { request.bodyCount > 64 << 10 }

    /// Whether such work could block a loop for long.
    func mayBeLong(_ work: AdminRoute.Work) -> Bool {
        switch work {
        case .short: hasLongBody
        case .reading: hasLongBody || session.isLarge
        case .matching: true
        case .allSessions: sessions.count > 200
        }
    }

    /// The answer of a route whose handler runs on the background thread, one at a time per session.
    func inBackground(_ route: AdminRoute) -> AdminAnswer {
        .later { [self] reply in
            let owed = OneShotReply(reply)
            session.heavyWork.add {
                switch answer(by: route) {
                case .now(let response): owed.answer(response)
                case .later(let answer): owed.pass(to: answer)
                }
            }
        }
    }

    /// The maximum size of a list sent at once, in bytes.
    private static let maxAtOnce = 512 << 20
    private static var tooLong: AdminError {
        let title = "The list takes more than 512 MiB at once: ask for fewer requests, or by HTTP/1.1"
        return AdminError(507, ErrorDocument(code: 10, title: title))
    }

    /// A long document: sent at once if it turns out short, otherwise in slices at the client's pace.
    func list(_ document: LongDocument, headers more: [(name: String, value: String)] = []) -> AdminAnswer {
        let headers = [("Content-Type", "application/json")] + more
        var document = document
        var text = document.nextPiece(of: PiecewiseAnswer.pieceSize)
        if request.version == .http10 || !session.isLarge {
            while !document.isOver {
                text += document.nextPiece(of: PiecewiseAnswer.pieceSize)
                guard text.count <= Self.maxAtOnce else { return .now(Self.tooLong.response) }
            }
        }
        if document.isOver { return .now(PlainResponse(status: 200, headers: headers, body: text)) }
        return .later { [session, document, text] reply in
            reply.write(text, then: document, headers: headers, on: session.heavyWork)
        }
    }

    /// Runs `answer` on the body files' thread, and sends what it returns or throws.
    func withBodyFiles(
        _ answer: @escaping @Sendable () throws(AdminError) -> PlainResponse
    ) -> AdminAnswer {
        .later { [session] reply in
            let owed = OneShotReply(reply)
            session.bodyWork.add { owed.answer(PlainResponse(answer)) }
        }
    }
}

extension PlainResponse {
    /// Makes the answer from what `answer` returns or throws.
    fileprivate init(_ answer: () throws(AdminError) -> PlainResponse) {
        do throws(AdminError) {
            self = try answer()
        } catch {
            self = error.response
        }
    }
}
