import HTTPTransport
import StubModel

/// A fault as wire steps. Nothing of the stub's status, headers or body is sent.
struct WireFault: Sendable {
    private let fault: Fault

    init(_ fault: Fault) {
        self.fault = fault
    }

    /// To HTTP/1.0 the malformed chunk goes out without a coding, as WireMock's server does it.
    func script(_ form: ResponseForm, delay: UInt64) -> WireScript {
        var steps: [WireStep] = delay > 0 ? [.wait(nanoseconds: delay)] : []
        switch fault {
        case .emptyResponse:
            steps.append(.abort(.fin))
        case .connectionResetByPeer:
            steps.append(.abort(.rst))
        case .malformedResponseChunk:
            steps += [.send(form.contains(.http10) ? plainHead : chunkedHead), .send(garbage), .abort(.fin)]
        case .randomDataThenClose:
            steps += [.send(garbage), .abort(.fin)]
        }
        return WireScript(steps)
    }
}

private let chunkedHead = WireBytes(Array("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n".utf8))
private let plainHead = WireBytes(Array("HTTP/1.1 200 OK\r\n\r\n".utf8))
/// The 36 bytes that WireMock sends for garbage.
private let garbage = WireBytes(Array("lskdu018973t09sylgasjkfg1][]'./.sdlv".utf8))
