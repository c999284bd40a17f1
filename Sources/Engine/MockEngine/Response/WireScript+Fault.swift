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
            self.init([.head(form.contains(.http10) ? plainHead : chunkedHead), .raw(garbage), .abort(.fin)])
        case .randomDataThenClose:
            self.init([.raw(garbage), .abort(.fin)])
        }
    }
}

private let plainHead = ResponseHead(status: 200, message: nil)
private let chunkedHead = {
    var head = plainHead
    head.add("Transfer-Encoding", "chunked")
    head.isChunked = true
    return head
}()
/// The 36 bytes that WireMock sends for garbage.
private let garbage = WireBytes(Array("lskdu018973t09sylgasjkfg1][]'./.sdlv".utf8))
