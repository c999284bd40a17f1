public import SDHTTPTransport

extension Reply {
    /// Accepts a WebSocket request. The stream stays open, retained or not, until one side closes it. Callable on any
    /// thread; the observer is called from then on.
    /// - Parameters:
    ///   - subprotocol: one of the offered sub-protocols; nil for none.
    ///   - fields: further header fields of the answer.
    public consuming func openWebSocket(
        _ offer: WebSocketOffer, subprotocol: String? = nil, fields: [(name: String, value: String)] = [],
        _ settings: WebSocketSettings = WebSocketSettings(), observer: any WebSocketObserver
    ) -> WebSocketStream {
        let isCompressed = settings.compresses && !offer.extensions.isEmpty
        let head = offer.head(subprotocol: subprotocol, isCompressed: isCompressed, fields)
        let stream = WebSocketStream(
            loop, settings, subprotocol: subprotocol, windowBits: isCompressed ? offer.windowBits : nil, observer)
        if loop.isCurrent {
            stream.begin(self, head)
        } else {
            let waiting = ReplyBox(self)
            stream.loop.perform { [head] in if let reply = waiting.take() { stream.begin(reply, head) } }
        }
        return stream
    }
}

extension StreamingReply {
    /// Accepts a WebSocket request by a streaming reply, whose owner sees the answer end once the head is sent. On the
    /// loop's thread, while everything given so far is sent.
    /// - Parameters:
    ///   - opening: makes the script to send from the head, possibly with steps before it.
    ///   - shape: the transforms of that script.
    /// - Returns: nil if the stream has ended.
    package func openWebSocket(
        _ offer: WebSocketOffer, fields: [(name: String, value: String)], _ settings: WebSocketSettings,
        observer: any WebSocketObserver, shape: BodyShape, opening: (ResponseHead) -> WireScript
    ) -> WebSocketStream? {
        let isCompressed = settings.compresses && !offer.extensions.isEmpty
        let stream = WebSocketStream(
            loop, settings, subprotocol: nil, windowBits: isCompressed ? offer.windowBits : nil, observer)
        let head = offer.head(subprotocol: nil, isCompressed: isCompressed, fields)
        return stream.begin(on: self, opening(head), shape: shape) ? stream : nil
    }
}

extension WebSocketOffer {
    /// The head that accepts the request.
    fileprivate func head(
        subprotocol: String?, isCompressed: Bool, _ fields: [(name: String, value: String)]
    ) -> ResponseHead {
        var head = ResponseHead(status: 200, reason: "OK")
        if let accept {
            head = ResponseHead(status: 101, reason: "Switching Protocols")
            head.add("Upgrade", "websocket")
            head.add("Connection", "Upgrade")
            head.add("Sec-WebSocket-Accept", accept)
        }
        if let subprotocol { head.add("Sec-WebSocket-Protocol", subprotocol) }
        if isCompressed { head.add("Sec-WebSocket-Extensions", extensions) }
        for (name, value) in fields { head.add(name, value) }
        return head
    }
}
