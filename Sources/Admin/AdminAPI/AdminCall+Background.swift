import SDHTTPMessages
import SDHTTPTransport
import SDMatching
import SDMockEngine
import SDPlatform
import SDStubModel
import SDStubs

/// Calls whose work may use the disk: it is done beside the loop, and the answer is given after it.
extension AdminCall {
    /// Changes the stubs, and then answers: at once if no disk is needed.
    /// - Parameters:
    ///   - refusal: the answer to a change that was refused.
    ///   - answer: the answer to a change that was made; its argument is whether the stubs named by the change existed.
    func change(
        _ change: StubChange,
        refusal: @escaping @Sendable (StubRefusal) -> AdminError = { AdminError($0) },
        _ answer: @escaping @Sendable (_ wasThere: Bool) throws(AdminError) -> PlainResponse
    ) -> AdminAnswer {
        .later { [session] reply in
            let owed = OwedReply(reply)
            let end: @Sendable (Session.ChangeOutcome) -> Void = { outcome in
                let response = PlainResponse { () throws(AdminError) in
                    switch outcome {
                    case .success(let wasThere): try answer(wasThere)
                    case .failure(let error): throw refusal(error)
                    }
                }
                // A reset has removed the faults of the port.
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

    /// Whether a loop would be held for long by such work.
    func mayBeLong(_ work: AdminRoute.Work) -> Bool {
        switch work {
        case .short: hasLongBody
        case .reading: hasLongBody || session.isLarge
        case .matching: true
        case .allSessions: sessions.count > 200
        }
    }

    /// The answer of a route whose handler runs on the thread for such calls, one after another for each session.
    func inBackground(_ route: AdminRoute) -> AdminAnswer {
        .later { [self] reply in
            let owed = OwedReply(reply)
            session.heavyWork.add {
                switch answer(by: route) {
                case .now(let response): owed.answer(response)
                case .later(let answer): owed.pass(to: answer)
                }
            }
        }
    }

    /// The most bytes of a list that is sent at once.
    private static let maxAtOnce = 512 << 20
    private static var tooLong: AdminError {
        let title = "The list takes more than 512 MiB at once: ask for fewer requests, or by HTTP/1.1"
        return AdminError(507, ErrorDocument(code: 10, title: title))
    }

    /// A long document: at once if it turns out short, else in pieces that are written as the caller takes them.
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

    /// Reads or writes body files on their own thread, and then answers.
    /// - Parameter answer: makes the answer; what it throws is answered instead.
    func withBodyFiles(
        _ answer: @escaping @Sendable () throws(AdminError) -> PlainResponse
    ) -> AdminAnswer {
        .later { [session] reply in
            let owed = OwedReply(reply)
            session.bodyWork.add { owed.answer(PlainResponse(answer)) }
        }
    }
}

extension PlainResponse {
    /// Makes the answer to a call, or the refusal that `answer` throws.
    fileprivate init(_ answer: () throws(AdminError) -> PlainResponse) {
        do throws(AdminError) {
            self = try answer()
        } catch {
            self = error.response
        }
    }
}
