import HTTPTransport
import StubModel

extension WireScript {
    /// A fault as wire steps. Nothing of the stub's status, headers or body is sent. To HTTP/1.0 the malformed chunk goes
    /// out without a coding, as WireMock's server does it.
    init(fault: Fault, _ form: ResponseForm) {
        switch fault {
        case .emptyResponse:
            self.init([.abort(.fin)])
        case .connectionResetByPeer:
            self.init([.abort(.rst)])
        case .malformedResponseChunk:
            self.init([.send(form.contains(.http10) ? plainHead : chunkedHead), .send(garbage), .abort(.fin)])
        case .randomDataThenClose:
            self.init([.send(garbage), .abort(.fin)])
        }
    }
}

private let chunkedHead = WireBytes(Array("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n".utf8))
private let plainHead = WireBytes(Array("HTTP/1.1 200 OK\r\n\r\n".utf8))
/// The 36 bytes that WireMock sends for garbage.
private let garbage = WireBytes(Array("lskdu018973t09sylgasjkfg1][]'./.sdlv".utf8))
