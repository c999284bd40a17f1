// Made by `make dialect` of Sources/Dialect/Table; do not edit.
// swift-format-ignore-file
import SDJSON
import SDStubModel

extension Stub.Answer {
    /// Sets headers added to a forwarded request.
    public func proxyHeader(_ name: String, _ values: String...) -> Stub.Answer {
        changing { $0.additionalProxyRequestHeaders.set(name, values) }
    }

    /// Sets headers removed from a forwarded request; names compare case-insensitively.
    public func removingProxyHeaders(_ names: String...) -> Stub.Answer {
        changing { $0.removeProxyRequestHeaders += names }
    }

    /// Sets a prefix removed from the path of a forwarded request: with `/v1`, `/v1/orders` becomes `/orders`.
    public func removingPathPrefix(_ text: String) -> Stub.Answer {
        changing { $0.proxyUrlPrefixToRemove = text }
    }

    /// Sets uses HTTP/2 for the forwarded request, as gRPC requires. With `https` the server may still choose HTTP/1.1.
    public func overHTTP2(_ isOn: Bool = true) -> Stub.Answer {
        changing { $0.proxyHttp2 = isOn }
    }

    /// Sets transformers of WireMock: `response-template` makes the response a template, `proxied-hostname-rewrite`
    /// rewrites host names in answers of other servers to this one; other names have no effect.
    public func transformers(_ names: String...) -> Stub.Answer {
        changing { $0.transformers += names }
    }

    /// Sets values available to the template under `parameters`.
    public func parameters(_ values: [String: Stub.JSON]) -> Stub.Answer {
        changing { $0.transformerParameters = JSONObject(values) }
    }

    /// Sets whether `{{…}}` in the body, the headers, the status message and the delay is rendered for each request,
    /// regardless of the transformers.
    public func template(_ isOn: Bool = true) -> Stub.Answer {
        changing { $0.template = isOn }
    }

    /// Sets header fields after the body, which is then sent in chunks.
    public func trailer(_ name: String, _ values: String...) -> Stub.Answer {
        changing { $0.trailers.set(name, values) }
    }

    /// Sets supports range requests with `Range`.
    public func ranges(_ isOn: Bool = true) -> Stub.Answer {
        changing { $0.ranges = isOn }
    }

    /// Sets answers 304 to a client that has this version, by `If-None-Match` or `If-Modified-Since`.
    public func conditional(_ isOn: Bool = true) -> Stub.Answer {
        changing { $0.conditional = isOn }
    }

    /// Leaves requests to the next matching stub while the body file is missing.
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

    /// Sets the priority; lower numbers win; by default 5.
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

    /// Sets whether it answers; with `false` it is only listed.
    public func enabled(_ isOn: Bool = true) -> Stub.Answer {
        changingStub { $0.enabled = isOn }
    }
}

extension Stub.Request {
    /// Requires the scheme: `https` if the request came over TLS or its target is an absolute `https` URL, otherwise
    /// `http`.
    public func scheme(_ text: String) -> Stub.Request {
        changing { $0.scheme = text }
    }

    /// Requires the requested host from the `Host` header, without the port.
    public func host(_ matcher: Stub.Match) -> Stub.Request {
        changing { $0.host = matcher.model }
    }

    /// Requires the requested host from the `Host` header, without the port.
    public func host(_ text: String) -> Stub.Request { host(.equal(text)) }

    /// Requires the requested port from the `Host` header, or the scheme's default.
    public func port(_ number: Int) -> Stub.Request {
        changing { $0.port = number }
    }

    /// Requires the client's address, or the value of `X-Forwarded-For` if present.
    public func clientIP(_ matcher: Stub.Match) -> Stub.Request {
        changing { $0.clientIp = matcher.model }
    }

    /// Requires the client's address, or the value of `X-Forwarded-For` if present.
    public func clientIP(_ text: String) -> Stub.Request { clientIP(.equal(text)) }
}
