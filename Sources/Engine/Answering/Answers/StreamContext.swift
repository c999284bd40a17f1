package import SDHTTPTransport
package import SDJournal
import SDMatching
import SDPlatform
import SDRequestTemplates
import SDStubModel
package import SDTemplating
import Synchronization

/// The exchange that a stream belongs to.
package struct StreamContext: Sendable {
    package let session: any AnsweringSession
    package let stub: CompiledStub
    package let request: Request
    package let event: ServeEvent
    /// The part of the answer that the event stores.
    package let body: StreamedBody

    /// Records body bytes that are about to be sent (see `StreamedBody.add`).
    package func record(_ count: Int, _ start: (_ most: Int) -> [UInt8]) {
        body.add(count, start)
        chargeJournal()
    }

    /// Charges the journal for newly stored bytes.
    func chargeJournal() {
        let bytes = body.takeCharge()
        if bytes > 0 { session.withJournal { $0.charge(bytes, for: event) } }
    }

    /// Adds the client as a reader of a named stream, until its end.
    /// - Parameter last: the id of the last event that it has seen, if that was sent to the name.
    package func join(_ name: String, _ stream: StreamingReply, end: WireScript, after last: ArraySlice<UInt8>?) {
        let reader = StreamReader(self, stream, since: SystemCalls.monotonicNanoseconds(), end: end)
        let (streams, memory) = (session.streamTable, session.memory)
        streams.addReader(name, reader, after: last)
        chargeJournal()
        memory.add(reader)
        session.activity.inFlight.whenEnded(event) {
            streams.removeReader(name, reader)
            memory.remove(reader)
        }
    }

    /// The template values at a position in the stream. The same requests sample the same numbers at the same
    /// positions.
    package func environment(index: Int, round: Int) -> RenderEnvironment {
        let budget = WorkBudget(limit: LoopAllowance.usual)
        let wallTime = session.laterTime(of: request)
        var views = RequestViews(request, budget: budget)
        views.wallTime = wallTime
        let response = ResponseModel(
            RequestModel(request, views, stub.pattern, ids: session.eventIDs, sequence: event.sequence, budget),
            parameters: ResponseModel.parameters(stub.response.definition.transformerParameters))
        return RenderEnvironment(
            model: StreamModel(response, index: index, round: round), budget: budget,
            system: TemplateSystem(session, sequence: event.sequence, place: index, wallTime: wallTime))
    }
}
