// Made by `make dialect` of Sources/Dialect/Table; do not edit.
// swift-format-ignore-file
import SDStubModel

extension Stub.Fault {
    /// The four ways in which WireMock breaks a response. None of them sends the stub's status, headers or body.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// The connection closes without a byte of an answer.
        case emptyResponse = "EMPTY_RESPONSE"
        /// The connection is reset (TCP RST) without a byte of an answer.
        case connectionReset = "CONNECTION_RESET_BY_PEER"
        /// A status of 200 and `Transfer-Encoding: chunked` come, 36 bytes that are not a chunk, then the end.
        case malformedChunk = "MALFORMED_RESPONSE_CHUNK"
        /// The same 36 bytes come without a status, then the end.
        case randomData = "RANDOM_DATA_THEN_CLOSE"

        var model: SDStubModel.Fault {
            switch self {
            case .emptyResponse: .emptyResponse
            case .connectionReset: .connectionResetByPeer
            case .malformedChunk: .malformedResponseChunk
            case .randomData: .randomDataThenClose
            }
        }
    }
}

extension MockServer {
    /// What a client meets that begins with TLS. The first ones are defects of the certificate that it is shown.
    public enum TLSFault: String, Sendable, Hashable, CaseIterable {
        /// A certificate that was valid until yesterday.
        case expired
        /// A certificate that will be valid from tomorrow on.
        case notYetValid
        /// A certificate for another host.
        case wrongHost
        /// A certificate that has issued itself.
        case selfSigned
        /// A certificate of an authority that nobody trusts.
        case untrustedAuthority
        /// A certificate whose key is shorter than any client accepts.
        case weakKey
        /// A chain without the certificate between this one and its authority.
        case missingIntermediate
        /// Only TLS 1.1, which today's clients refuse.
        case oldVersion
        /// A reset in place of the handshake.
        case reset
        /// Nothing, until the client leaves.
        case stall
        /// Bytes that are no TLS, and then the end of the connection.
        case garbage
    }
}

extension MockServer {
    /// What a client meets that begins with HTTP/2.
    public enum HTTP2Fault: String, Sendable, Hashable, CaseIterable {
        /// The SETTINGS frame with which a server begins never comes, nor an answer.
        case noSettings
        /// Bytes that are no frame, and then the end of the connection.
        case garbage
    }
}

extension Stub.Fault.HTTP2Code {
    /// Nothing is wrong: the stream or the connection ends in order.
    public static let noError = Stub.Fault.HTTP2Code(rawValue: 0)
    /// The other end does not keep to the protocol.
    public static let protocolError = Stub.Fault.HTTP2Code(rawValue: 1)
    /// Something went wrong within.
    public static let internalError = Stub.Fault.HTTP2Code(rawValue: 2)
    /// More bytes came than there was a window for.
    public static let flowControlError = Stub.Fault.HTTP2Code(rawValue: 3)
    /// SETTINGS were not acknowledged in time.
    public static let settingsTimeout = Stub.Fault.HTTP2Code(rawValue: 4)
    /// A frame came for a stream that had ended.
    public static let streamClosed = Stub.Fault.HTTP2Code(rawValue: 5)
    /// A frame has a size that it must not have.
    public static let frameSizeError = Stub.Fault.HTTP2Code(rawValue: 6)
    /// The stream is refused before anything was done: clients may try again.
    public static let refusedStream = Stub.Fault.HTTP2Code(rawValue: 7)
    /// The stream is no longer needed.
    public static let cancel = Stub.Fault.HTTP2Code(rawValue: 8)
    /// The state of header compression is lost.
    public static let compressionError = Stub.Fault.HTTP2Code(rawValue: 9)
    /// The connection behind a CONNECT was reset.
    public static let connectError = Stub.Fault.HTTP2Code(rawValue: 10)
    /// The other end does too much.
    public static let enhanceYourCalm = Stub.Fault.HTTP2Code(rawValue: 11)
    /// TLS is not as HTTP/2 wants it.
    public static let inadequateSecurity = Stub.Fault.HTTP2Code(rawValue: 12)
    /// The request is to be made by HTTP/1.1.
    public static let http11Required = Stub.Fault.HTTP2Code(rawValue: 13)
}

extension Stub {
    /// Where the bodies of an OpenAPI document's answers come from.
    public enum AnswerSource: String, Sendable, Hashable, CaseIterable {
        /// Examples of the document; what has none is made from its schema.
        case examples
        /// Made from the schema.
        case made

        var model: SDStubModel.OpenAPIAnswer.Source {
            switch self {
            case .examples: .examples
            case .made: .made
            }
        }
    }
}

extension Stub {
    /// The answers that follow the last response.
    public enum End: String, Sendable, Hashable, CaseIterable {
        /// The last response again, for all further requests.
        case repeatLast
        /// The first response again, and so on.
        case loop
        /// A 404 that says that the sequence is over.
        case notFound

        var model: SDStubModel.ResponseSequence.End {
            switch self {
            case .repeatLast: .repeatLast
            case .loop: .loop
            case .notFound: .notFound
            }
        }
    }
}

extension Stub.Match {
    /// `schemaVersion`: the draft of JSON Schema that a schema is written in.
    public enum SchemaDraft: String, Sendable, Hashable, CaseIterable {
        /// Draft 4 (2013).
        case draft4 = "V4"
        /// Draft 6 (2017).
        case draft6 = "V6"
        /// Draft 7 (2018).
        case draft7 = "V7"
        /// Draft 2019-09.
        case draft201909 = "V201909"
        /// Draft 2020-12, WireMock's default.
        case draft202012 = "V202012"
    }
}

extension Stub.Match {
    /// `namespaceAwareness`: how far namespaces count when XML is compared.
    public enum XMLNamespaces: String, Sendable, Hashable, CaseIterable {
        /// Prefixes must be declared; namespaces are compared, prefixes are not. The default.
        case strict = "STRICT"
        /// Prefixes need no declaration; elements compare by local name and default namespace, attributes as written.
        case legacy = "LEGACY"
        /// Names are compared as written, and namespace declarations as attributes.
        case none = "NONE"
    }
}

extension Stub {
    /// What the client's certificate says.
    public enum CertificateField: String, Sendable, Hashable, CaseIterable {
        /// The name of its owner, as in RFC 2253: CN=alice,O=Example.
        case subject
        /// The name of the authority that issued it.
        case issuer
        /// The serial number in hexadecimal digits.
        case serialNumber
        /// The SHA-256 of its DER form in lower-case hexadecimal digits.
        case fingerprint
        /// The time from which it is valid, such as 2026-01-31T09:30:00Z.
        case notBefore
        /// The time until which it is valid.
        case notAfter
        /// Its alternative names, each with its kind: DNS:alice.example.
        case alternativeNames
        /// The certificate in PEM.
        case pem
    }
}
