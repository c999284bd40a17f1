import SDHTTPMessages
import SDHTTPTransport
import SDJournal
import SDOutgoingCalls
import SDRequestTemplates
import SDStubModel

/// A response that sends events or chunks instead of a body.
final class StreamResponse: Responder {
    private let definition: ResponseDefinition
    private let program: Result<StreamProgram, UnreadableTemplate>

    /// Compiles a definition; nil for one without a stream.
    package init?(_ definition: borrowing ResponseDefinition, _ mode: TemplatingMode) {
        guard let stream = definition.stream else { return nil }
        self.definition = definition.withStreamHeaders
        let isTemplated = mode.applies(to: definition)
        program = Result { () throws(UnreadableTemplate) in
            try StreamProgram(stream, isTemplated: isTemplated)
        }
    }

    /// The template with an error; nil for none.
    package var problem: UnreadableTemplate? {
        if case .failure(let problem) = program { problem } else { nil }
    }

    package func respond(to decision: inout Decision, _ answer: consuming Answer) {
        let program: StreamProgram
        switch self.program {
        case .success(let readable): program = readable
        case .failure(let problem):
            let field = problem.path.joined(separator: ".")
            return answer.fail("the template in `\(field)` cannot be read: \(problem.error)")
        }
        let maker = answer.maker
        if let problem = maker.session.notifyListeners(
            maker.stub, maker.event, maker.request, definition, isOnLoop: maker.isOnLoop, program.bytes)
        {
            return answer.fail(problem)
        }
        let context = StreamContext(
            session: maker.session, stub: maker.stub, request: maker.request, event: maker.event,
            body: StreamedBody(limit: maker.session.keptBodyLimit))
        let pushed = Self.lastPushed(of: program, in: context)
        let first = pushed == nil ? Self.first(of: program, in: context) : program.count
        if first == program.count, first > 0, program.definition.name == nil, program.definition.rounds == nil {
            // A client of server-sent events reconnects until it gets a 204.
            var nothing = maker.stub.response.definition
            nothing.status = 204
            nothing.stream = nil
            return answer.send(nothing, body: [])
        }
        let frame = maker.stub.response.streamFrame(definition, maker.form, extraHeaders: maker.extraHeaders)
        func served(_ body: [UInt8]) -> ServedResponse {
            maker.stub.response.served(definition, body: body, bodyLimit: maker.session.keptBodyLimit)
        }
        if !frame.hasBody {
            return answer.send(WireScript(frame.opening + [frame.end]), served(program.bytes))
        }
        if let steps = program.whole(from: first) {
            return answer.send(
                WireScript(frame.opening + steps + [frame.end]), served(StreamProgram.prefix(steps, .max)))
        }
        let opening = maker.session.delayed(.part(frame.opening), maker.event)
        let end = WireScript([frame.end])
        let stream = answer.stream(maker.stub.response.served(definition, streamed: context.body))
        // A reader that has seen a pushed event has seen all of the stream's own rounds.
        let round = pushed == nil ? 0 : Int(Int32.max)
        StreamPlayer(program, context, stream, opening: opening, from: first, round: round, end: end).begin()
        // Only now, so that nothing precedes the head.
        if let name = program.definition.name { context.join(name, stream, end: end, after: pushed) }
    }

    // MARK: Resuming

    private static let lastEventID = Array("last-event-id".utf8)
    /// The largest number of events searched for the last one that a reader has seen.
    private static let maxLookedAt = 10_000

    /// The id of the last event that a reader has seen, if it was pushed to the stream's name.
    private static func lastPushed(of program: StreamProgram, in context: StreamContext) -> ArraySlice<UInt8>? {
        guard let name = program.definition.name, let last = context.request.header(lastEventID), !last.isEmpty,
            context.session.streamTable.keeps(last, of: name)
        else { return nil }
        return last
    }

    /// The first item for a reader: the one after the last event that it has seen, if it states one.
    private static func first(of program: StreamProgram, in context: StreamContext) -> Int {
        guard let last = context.request.header(lastEventID), !last.isEmpty else { return 0 }
        for (index, item) in program.definition.items.prefix(maxLookedAt).enumerated() {
            guard case .event(let event) = item.content, let id = event.id else { continue }
            let rendered = program.templatedID(at: index).map { piece in
                (try? piece.id(context.environment(index: index, round: 0))) ?? ""
            }
            if (rendered ?? id).utf8.elementsEqual(last) { return index + 1 }
        }
        return 0
    }
}

extension ResponseDefinition {
    /// The response with the headers of an event stream, unless it has its own.
    fileprivate var withStreamHeaders: ResponseDefinition {
        guard stream?.hasEvents == true else { return self }
        var response = self
        for (name, value) in [("Content-Type", "text/event-stream"), ("Cache-Control", "no-cache")]
        where !headers.contains(where: { $0.name.lowercased() == name.lowercased() }) {
            response.headers.append(ResponseHeader(name, [value]))
        }
        return response
    }
}
