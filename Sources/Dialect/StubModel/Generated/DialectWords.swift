// Made by `make dialect` of Sources/Dialect/Table; do not edit.
// swift-format-ignore-file

/// Frames that a server must not send (RFC 6455), in place of a message.
public enum InvalidFrame: String, Sendable, Hashable, CaseIterable {
    /// A frame with the second reserved bit, which no extension uses.
    case reservedBits
    /// A frame with the opcode 3, which is reserved.
    case opcode
    /// A masked frame, which only clients may send.
    case masked
    /// A text that is not UTF-8.
    case utf8
    /// A frame whose length has its highest bit set.
    case length
    /// A frame whose length takes more bytes than needed.
    case wideLength
    /// A continuation frame without a started message.
    case continuation
    /// The beginning of a message, followed by another message.
    case interrupted
    /// A ping of 126 bytes.
    case longControl
    /// A fragmented ping.
    case partedControl
    /// A close frame with the code 1005, which must not be sent.
    case closeCode
    /// A message marked as compressed that is not compressed.
    case notDeflated
}

/// The four ways in which WireMock breaks a response. None of them sends the stub's status, headers or body.
public enum Fault: String, Sendable, Hashable, CaseIterable {
    /// The connection closes without a byte of an answer.
    case emptyResponse = "EMPTY_RESPONSE"
    /// The connection is reset (TCP RST) without a byte of an answer.
    case connectionResetByPeer = "CONNECTION_RESET_BY_PEER"
    /// A status of 200 and `Transfer-Encoding: chunked` come, 36 bytes that are not a chunk, then the end.
    case malformedResponseChunk = "MALFORMED_RESPONSE_CHUNK"
    /// The same 36 bytes come without a status, then the end.
    case randomDataThenClose = "RANDOM_DATA_THEN_CLOSE"
}

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

/// Faults at the start of an HTTP/2 connection.
public enum HTTP2Fault: String, Sendable, Hashable, CaseIterable {
    /// The server's initial SETTINGS frame is never sent, and no answer either.
    case noSettings
    /// Bytes that are not a frame, then the end of the connection.
    case garbage
}

extension OpenAPIAnswer {
    /// The source of bodies for an OpenAPI document.
    public enum Source: String, Sendable, Hashable, CaseIterable {
        /// The document's examples; without one, generated from the schema.
        case examples
        /// Generated from the schema.
        case made
    }
}

extension StubMapping {
    /// The request phases in which a listener can run.
    package enum RequestPhase: String, Sendable, Hashable, CaseIterable {
        case beforeMatch = "BEFORE_MATCH"
        case afterMatch = "AFTER_MATCH"
        case beforeResponseSent = "BEFORE_RESPONSE_SENT"
        case afterComplete = "AFTER_COMPLETE"
    }
}

extension ResponseSequence {
    /// What follows the last response of a sequence.
    public enum End: String, Sendable, Hashable, CaseIterable {
        /// The last response again, for all further requests.
        case repeatLast
        /// The first response again, and so on.
        case loop
        /// A 404 that reports the end of the sequence.
        case notFound
    }
}

extension ResponseSequence {
    /// How the next response is selected.
    public enum Selection: String, Sendable, Hashable, CaseIterable {
        /// In order.
        case sequence
        /// At random by weight, from the session's seed.
        case random
    }
}

extension MultipartPattern {
    /// Which parts must match the pattern.
    public enum MatchingType: String, Sendable, Hashable, CaseIterable {
        /// Every part; there must be at least one.
        case all = "ALL"
        /// At least one part.
        case any = "ANY"
    }
}

extension ValueMatcher {
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

extension ValueMatcher {
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

extension ValueMatcher {
    /// A value of `truncateExpected` and `truncateActual`.
    public enum DateBoundary: String, Sendable, Hashable, CaseIterable {
        /// The start of the minute: seconds become 0.
        case firstSecondOfMinute = "first second of minute"
        /// The start of the hour: minutes and seconds become 0.
        case firstMinuteOfHour = "first minute of hour"
        /// Midnight at the start of the day.
        case firstHourOfDay = "first hour of day"
        /// Midnight at the start of the month.
        case firstDayOfMonth = "first day of month"
        /// Midnight at the start of the next month.
        case firstDayOfNextMonth = "first day of next month"
        /// Midnight at the start of the month's last day.
        case lastDayOfMonth = "last day of month"
        /// Midnight at the start of the year.
        case firstDayOfYear = "first day of year"
        /// Midnight at the start of the next year.
        case firstDayOfNextYear = "first day of next year"
        /// Midnight at the start of 31 December.
        case lastDayOfYear = "last day of year"
    }
}

extension ValueMatcher {
    /// A unit of `expectedOffsetUnit`, and of an offset such as `now +3 days`.
    public enum DateDistanceUnit: String, Sendable, Hashable, CaseIterable {
        /// Seconds.
        case seconds
        /// Minutes of 60 seconds.
        case minutes
        /// Hours of 3,600 seconds.
        case hours
        /// Calendar days, which keep the time of day.
        case days
        /// Calendar months; a day beyond the end of a month becomes its last day.
        case months
        /// Calendar years; 29 February may become 28 February.
        case years
    }
}

extension ValueMatcher {
    /// An element of `exemptedComparisons`: a kind of difference between two XML documents, by its name in XMLUnit.
    public enum XMLDifference: String, Sendable, Hashable, CaseIterable {
        /// The version in the XML declaration.
        case xmlVersion = "XML_VERSION"
        /// `standalone` in the XML declaration.
        case xmlStandalone = "XML_STANDALONE"
        /// The encoding in the XML declaration.
        case xmlEncoding = "XML_ENCODING"
        /// Whether there is a document type declaration.
        case hasDoctypeDeclaration = "HAS_DOCTYPE_DECLARATION"
        /// The name in the document type declaration.
        case doctypeName = "DOCTYPE_NAME"
        /// The public identifier in the document type declaration.
        case doctypePublicID = "DOCTYPE_PUBLIC_ID"
        /// The system identifier in the document type declaration.
        case doctypeSystemID = "DOCTYPE_SYSTEM_ID"
        /// `xsi:schemaLocation` of an element.
        case schemaLocation = "SCHEMA_LOCATION"
        /// `xsi:noNamespaceSchemaLocation` of an element.
        case noNamespaceSchemaLocation = "NO_NAMESPACE_SCHEMA_LOCATION"
        /// The type of a node: element, text, comment and so on.
        case nodeType = "NODE_TYPE"
        /// The prefix of a name.
        case namespacePrefix = "NAMESPACE_PREFIX"
        /// The namespace of a name.
        case namespaceUri = "NAMESPACE_URI"
        /// The text of a text node, CDATA section or comment.
        case textValue = "TEXT_VALUE"
        /// The target of a processing instruction.
        case processingInstructionTarget = "PROCESSING_INSTRUCTION_TARGET"
        /// The data of a processing instruction.
        case processingInstructionData = "PROCESSING_INSTRUCTION_DATA"
        /// The local name of an element.
        case elementTagName = "ELEMENT_TAG_NAME"
        /// The number of an element's attributes.
        case elementNumAttributes = "ELEMENT_NUM_ATTRIBUTES"
        /// Whether an attribute is in the document or comes from its DTD.
        case attrValueExplicitlySpecified = "ATTR_VALUE_EXPLICITLY_SPECIFIED"
        /// The value of an attribute.
        case attrValue = "ATTR_VALUE"
        /// The number of a node's children.
        case childNodelistLength = "CHILD_NODELIST_LENGTH"
        /// The order of a node's children.
        case childNodelistSequence = "CHILD_NODELIST_SEQUENCE"
        /// A child that is missing in the other document.
        case childLookup = "CHILD_LOOKUP"
        /// An attribute that is missing in the other element.
        case attrNameLookup = "ATTR_NAME_LOOKUP"
    }
}

extension MessageStub {
    /// What follows the end of a sequence.
    public enum End: String, Sendable, Hashable, CaseIterable {
        /// The last entry again, for all further messages.
        case repeatLast
        /// The first entry again, and so on.
        case loop
        /// Nothing: the next matching stub applies.
        case stop
    }
}

extension MessageStub {
    /// The scope of a sequence.
    public enum Count: String, Sendable, Hashable, CaseIterable {
        /// A separate sequence for each channel.
        case channel
        /// One sequence for all channels of a session.
        case session
    }
}

extension OpenAPISettings {
    /// The treatment of requests that violate an OpenAPI document.
    public enum Check: String, Sendable, Hashable, CaseIterable {
        /// They are not checked.
        case off
        /// They are answered, and reported in the journal, the log and the report.
        case warn
        /// They are rejected with all reasons.
        case enforce
    }
}

/// Fields of the client certificate. An addition to WireMock.
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
