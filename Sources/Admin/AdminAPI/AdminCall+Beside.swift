import HTTPMessages
import HTTPTransport
import MockEngine
import Platform
import StubModel

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
                owed.answer(
                    PlainResponse { () throws(AdminError) in
                        switch outcome {
                        case .success(let wasThere): try answer(wasThere)
                        case .failure(let error): throw refusal(error)
                        }
                    })
            }
            if let outcome = session.perform(change, orLater: end) { end(outcome) }
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
