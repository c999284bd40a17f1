import SDAnswering
package import SDChannels
import SDHTTPTransport
package import SDJournal
import SDReports
package import SDStubModel
import SDWebSocket
import Synchronization

/// How messages leave the channels of a session: faults and gates.
extension Session {
    package var messageFaults: [CompiledMessageFault] {
        guard channels.hasFaults.load(ordering: .relaxed) else { return [] }
        return state.withLock { $0.faults.compactMap(\.messages) }
    }

    package func sampleDelivery(_ delays: [DelayDistribution], _ faults: [CompiledMessageFault]) -> SampledDelivery {
        let drawn = state.withLock { state in
            let drawn = SampledDelivery(delays, faults, &state.faultLedger, now: state.clock(), &state.generator)
            for (fault, _) in drawn.acts {
                let ofSession = state.faults.first { $0.messages?.fault == fault }
                state.journal.stats.faults.add(
                    Report.ActedFault(
                        fault: fault.label, outcome: nil,
                        source: ofSession.map { $0.fault.name ?? $0.id.lowercasedString } ?? "a message stub",
                        stub: nil, count: 1))
            }
            return drawn
        }
        for (fault, _) in drawn.acts { shared.requests.noteFault(fault.label) }
        return drawn
    }

    package func wait(
        _ held: HeldMessage, at gate: GateHold, _ pass: @escaping @Sendable (MessageVerdict) -> Void
    ) -> (any MessageHold)? {
        guard let request = held.channel.request, let loop = held.channel.loop else { return nil }
        let wait = GateWait(self, gate) { pass(MessageVerdict($0)) }
        let message = WaitingMessage(
            id: held.id, channel: held.channel.id.lowercasedString, request: request, bytes: held.message.bytes,
            isText: held.message.kind == .text)
        return wait.wait(message, on: loop) ? wait : nil
    }
}

extension GateWait: MessageHold {}

extension MessageVerdict {
    fileprivate init(_ verdict: GateVerdict) {
        self =
            switch verdict {
            case .go, .answer: .go
            case .fail(let fault): MessageVerdict(fault)
            case .timedOut(let hold):
                switch hold.onTimeout {
                case .fail: MessageVerdict(.connectionResetByPeer)
                case .fault(let fault): MessageVerdict(fault)
                case .answer, .status, nil: .go
                }
            }
    }

    /// WireMock's faults on a WebSocket: bytes that are not a frame, and the end of the connection.
    private init(_ fault: Fault) {
        self =
            switch fault {
            case .emptyResponse: .fail(.nothing, .inOrder)
            case .connectionResetByPeer: .fail(.nothing, .reset)
            case .malformedResponseChunk, .randomDataThenClose:
                .fail(
                    .raw(BrokenFrame.opcode.bytes(inPlaceOf: .text("lskdu018973t09sylgasjkfg1][]'./.sdlv"))), .inOrder)
            }
    }
}
