package import SDHTTPMessages
package import SDHTTPTransport
package import SDStubModel

extension WireScript {
    /// Makes the wire steps of a fault. The stub's status, headers and body are not sent. An HTTP/1.0 client gets the
    /// malformed chunk without a Transfer-Encoding, as from WireMock's server.
    package init(fault: Fault, _ form: ResponseVariant) {
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

extension WireScript {
    /// Makes the wire steps of a fault in an answer that has begun.
    package init(faultInStream fault: Fault) {
        switch fault {
        case .emptyResponse: self.init([.abort(.fin)])
        case .connectionResetByPeer: self.init([.abort(.rst)])
        case .malformedResponseChunk, .randomDataThenClose: self.init([.raw(garbage), .abort(.fin)])
        }
    }
}

private let plainHead = ResponseHead(status: 200, message: nil)
private let chunkedHead = {
    var head = plainHead
    head.addChunks()
    return head
}()
/// The 36 bytes that WireMock sends as garbage.
private let garbage = WireBytes(Array("lskdu018973t09sylgasjkfg1][]'./.sdlv".utf8))
