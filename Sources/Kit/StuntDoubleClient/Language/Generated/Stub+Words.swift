// Made by `make dialect` of Sources/Dialect/Table; do not edit.
// swift-format-ignore-file
import SDJSON
import SDStubModel

extension Stub.Answer {
    /// Sets headers that are added to a request that is sent on.
    public func proxyHeader(_ name: String, _ values: String...) -> Stub.Answer {
        changing { $0.additionalProxyRequestHeaders.set(name, values) }
    }

    /// Takes headers out of the request that is sent on; names compare without case.
    public func removingProxyHeaders(_ names: String...) -> Stub.Answer {
        changing { $0.removeProxyRequestHeaders += names }
    }

    /// Takes a text from the beginning of the path before the request is sent on: with `/v1`, `/v1/orders` becomes
    /// `/orders`.
    public func removingPathPrefix(_ text: String) -> Stub.Answer {
        changing { $0.proxyUrlPrefixToRemove = text }
    }

    /// Calls the server that the request is sent on to in HTTP/2, as those of gRPC need it. With `https` it may still
    /// choose HTTP/1.1.
    public func overHTTP2(_ isOn: Bool = true) -> Stub.Answer {
        changing { $0.proxyHttp2 = isOn }
    }

    /// Sets transformers of WireMock: `response-template` makes the response a template, `proxied-hostname-rewrite`
    /// makes answers of other servers name this one; other names say nothing.
    public func transformers(_ names: String...) -> Stub.Answer {
        changing { $0.transformers += names }
    }

    /// Sets values that a template finds under `parameters`.
    public func parameters(_ values: [String: Stub.JSON]) -> Stub.Answer {
        changing { $0.transformerParameters = JSONObject(values) }
    }

    /// Sets whether `{{…}}` in the body, the headers, the status message and the delay is filled in for each request,
    /// whatever the transformers say.
    public func template(_ isOn: Bool = true) -> Stub.Answer {
        changing { $0.template = isOn }
    }

    /// Sets header fields after the body, which is then sent in chunks.
    public func trailer(_ name: String, _ values: String...) -> Stub.Answer {
        changing { $0.trailers.set(name, values) }
    }

    /// Lets requests ask for parts of the body with `Range`.
    public func ranges(_ isOn: Bool = true) -> Stub.Answer {
        changing { $0.ranges = isOn }
    }

    /// Sends a 304 to a client that has this version, by `If-None-Match` or `If-Modified-Since`.
    public func conditional(_ isOn: Bool = true) -> Stub.Answer {
        changing { $0.conditional = isOn }
    }

    /// Leaves requests to the next stub that matches as long as the body file is missing.
    public func fallThrough(_ isOn: Bool = true) -> Stub.Answer {
        changing { $0.fallThrough = isOn }
    }
}

extension Stub.Answer {
    /// Sets a label, shown in reports and in the response header `Matched-Stub-Name`.
    public func named(_ text: String) -> Stub.Answer {
        changingStub { $0.name = text }
    }

    /// Sets whether the mapping is saved to disk when it is added or edited, and its file is deleted when it is
    /// removed.
    public func persistent(_ isOn: Bool = true) -> Stub.Answer {
        changingStub { $0.persistent = isOn }
    }

    /// Sets the priority: lower numbers win; 5 if absent.
    public func priority(_ number: Int) -> Stub.Answer {
        changingStub { $0.priority = number }
    }

    /// Sets an object of your own, for the admin API.
    public func metadata(_ values: [String: Stub.JSON]) -> Stub.Answer {
        changingStub { $0.metadata = JSONObject(values) }
    }

    /// Sets how long the mapping exists, such as `30s`.
    public func ttl(_ duration: Duration) -> Stub.Answer {
        changingStub { $0.ttlMilliseconds = duration.wholeMilliseconds }
    }

    /// Sets whether it answers; `false`: it is only listed.
    public func enabled(_ isOn: Bool = true) -> Stub.Answer {
        changingStub { $0.enabled = isOn }
    }
}

extension Stub.Request {
    /// Requires the scheme: `https` if the request came over TLS or its target is a whole `https` URL, or else `http`.
    public func scheme(_ text: String) -> Stub.Request {
        changing { $0.scheme = text }
    }

    /// Requires the host that the request was sent to, by its header `Host`, without the port.
    public func host(_ matcher: Stub.Match) -> Stub.Request {
        changing { $0.host = matcher.model }
    }

    /// Requires the host that the request was sent to, by its header `Host`, without the port.
    public func host(_ text: String) -> Stub.Request { host(.equal(text)) }

    /// Requires the port that the request was sent to, in `Host`, or the scheme's.
    public func port(_ number: Int) -> Stub.Request {
        changing { $0.port = number }
    }

    /// Requires the address that the request came from, or the text of `X-Forwarded-For` if the request has that.
    public func clientIP(_ matcher: Stub.Match) -> Stub.Request {
        changing { $0.clientIp = matcher.model }
    }

    /// Requires the address that the request came from, or the text of `X-Forwarded-For` if the request has that.
    public func clientIP(_ text: String) -> Stub.Request { clientIP(.equal(text)) }
}
