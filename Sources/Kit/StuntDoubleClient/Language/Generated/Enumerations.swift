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
    /// Faults at the start of a TLS connection. The first ones are defects of the server's certificate.
    public enum TLSFault: String, Sendable, Hashable, CaseIterable {
        /// A certificate that expired yesterday.
        case expired
        /// A certificate that becomes valid tomorrow.
        case notYetValid
        /// A certificate for another host.
        case wrongHost
        /// A self-signed certificate.
        case selfSigned
        /// A certificate from an untrusted authority.
        case untrustedAuthority
        /// A certificate whose key is shorter than any client accepts.
        case weakKey
        /// A chain without its intermediate certificate.
        case missingIntermediate
        /// Only TLS 1.1, which current clients reject.
        case oldVersion
        /// A reset in place of the handshake.
        case reset
        /// No bytes, until the client disconnects.
        case stall
        /// Bytes that are not TLS, then the end of the connection.
        case garbage
    }
}

extension MockServer {
    /// Faults at the start of an HTTP/2 connection.
    public enum HTTP2Fault: String, Sendable, Hashable, CaseIterable {
        /// The server's initial SETTINGS frame is never sent, and no answer either.
        case noSettings
        /// Bytes that are not a frame, then the end of the connection.
        case garbage
    }
}

extension Stub.Fault.HTTP2Code {
    /// No error: the stream or the connection ends normally.
    public static let noError = Stub.Fault.HTTP2Code(rawValue: 0)
    /// The peer violates the protocol.
    public static let protocolError = Stub.Fault.HTTP2Code(rawValue: 1)
    /// An internal error.
    public static let internalError = Stub.Fault.HTTP2Code(rawValue: 2)
    /// The peer exceeded the flow-control window.
    public static let flowControlError = Stub.Fault.HTTP2Code(rawValue: 3)
    /// SETTINGS were not acknowledged in time.
    public static let settingsTimeout = Stub.Fault.HTTP2Code(rawValue: 4)
    /// A frame came for a stream that had ended.
    public static let streamClosed = Stub.Fault.HTTP2Code(rawValue: 5)
    /// A frame has an invalid size.
    public static let frameSizeError = Stub.Fault.HTTP2Code(rawValue: 6)
    /// The stream was refused before any processing: clients may retry.
    public static let refusedStream = Stub.Fault.HTTP2Code(rawValue: 7)
    /// The stream is no longer needed.
    public static let cancel = Stub.Fault.HTTP2Code(rawValue: 8)
    /// The state of header compression is lost.
    public static let compressionError = Stub.Fault.HTTP2Code(rawValue: 9)
    /// The connection of a CONNECT request was reset.
    public static let connectError = Stub.Fault.HTTP2Code(rawValue: 10)
    /// The peer causes excessive load.
    public static let enhanceYourCalm = Stub.Fault.HTTP2Code(rawValue: 11)
    /// TLS does not meet the requirements of HTTP/2.
    public static let inadequateSecurity = Stub.Fault.HTTP2Code(rawValue: 12)
    /// The request must use HTTP/1.1.
    public static let http11Required = Stub.Fault.HTTP2Code(rawValue: 13)
}

extension Stub {
    /// The source of bodies for an OpenAPI document.
    public enum AnswerSource: String, Sendable, Hashable, CaseIterable {
        /// The document's examples; without one, generated from the schema.
        case examples
        /// Generated from the schema.
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
    /// What follows the last response of a sequence.
    public enum End: String, Sendable, Hashable, CaseIterable {
        /// The last response again, for all further requests.
        case repeatLast
        /// The first response again, and so on.
        case loop
        /// A 404 that reports the end of the sequence.
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
    /// `schemaVersion`: the JSON Schema draft of a schema.
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
    /// `namespaceAwareness`: how namespaces are compared in XML.
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
    /// Fields of the client certificate.
    public enum CertificateField: String, Sendable, Hashable, CaseIterable {
        /// The subject in RFC 2253 notation: CN=alice,O=Example.
        case subject
        /// The issuer in the same notation.
        case issuer
        /// The serial number in hexadecimal digits.
        case serialNumber
        /// The SHA-256 of the DER encoding in lower-case hexadecimal digits.
        case fingerprint
        /// The start of its validity, such as 2026-01-31T09:30:00Z.
        case notBefore
        /// The end of its validity.
        case notAfter
        /// Its alternative names, each with its type: DNS:alice.example.
        case alternativeNames
        /// The certificate in PEM.
        case pem
    }
}
