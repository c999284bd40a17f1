// Made by `make dialect` of Sources/Dialect/Table; do not edit.
// swift-format-ignore-file

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

/// What a client meets that begins with HTTP/2.
public enum HTTP2Fault: String, Sendable, Hashable, CaseIterable {
    /// The SETTINGS frame with which a server begins never comes, nor an answer.
    case noSettings
    /// Bytes that are no frame, and then the end of the connection.
    case garbage
}

extension OpenAPIAnswer {
    /// Where the bodies of an OpenAPI document's answers come from.
    public enum Source: String, Sendable, Hashable, CaseIterable {
        /// Examples of the document; what has none is made from its schema.
        case examples
        /// Made from the schema.
        case made
    }
}

extension StubMapping {
    /// The phases of a request in which a listener acts.
    package enum RequestPhase: String, Sendable, Hashable, CaseIterable {
        case beforeMatch = "BEFORE_MATCH"
        case afterMatch = "AFTER_MATCH"
        case beforeResponseSent = "BEFORE_RESPONSE_SENT"
        case afterComplete = "AFTER_COMPLETE"
    }
}

extension ResponseSequence {
    /// The answers that follow the last response.
    public enum End: String, Sendable, Hashable, CaseIterable {
        /// The last response again, for all further requests.
        case repeatLast
        /// The first response again, and so on.
        case loop
        /// A 404 that says that the sequence is over.
        case notFound
    }
}

extension ResponseSequence {
    /// The way in which the next response is found.
    public enum Selection: String, Sendable, Hashable, CaseIterable {
        /// In order.
        case sequence
        /// Drawn by weight from the session's seed.
        case random
    }
}

extension MultipartPattern {
    /// The parts that must satisfy the pattern.
    public enum MatchingType: String, Sendable, Hashable, CaseIterable {
        /// Every part, of which there must be one at least.
        case all = "ALL"
        /// At least one part.
        case any = "ANY"
    }
}

extension ValueMatcher {
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

extension ValueMatcher {
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
    /// A unit of `expectedOffsetUnit`, and of a distance such as `now +3 days`.
    public enum DateDistanceUnit: String, Sendable, Hashable, CaseIterable {
        /// Seconds.
        case seconds
        /// Minutes of 60 seconds.
        case minutes
        /// Hours of 3,600 seconds.
        case hours
        /// Days of the calendar, which keep the time of day.
        case days
        /// Months of the calendar; a day that the month does not have becomes its last.
        case months
        /// Years of the calendar; 29 February may become 28 February.
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
        /// The kind of a node: element, text, comment and so on.
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
        /// Whether an attribute is in the document or from its DTD.
        case attrValueExplicitlySpecified = "ATTR_VALUE_EXPLICITLY_SPECIFIED"
        /// The value of an attribute.
        case attrValue = "ATTR_VALUE"
        /// The number of a node's children.
        case childNodelistLength = "CHILD_NODELIST_LENGTH"
        /// The order of a node's children.
        case childNodelistSequence = "CHILD_NODELIST_SEQUENCE"
        /// A child that the other document does not have.
        case childLookup = "CHILD_LOOKUP"
        /// An attribute that the other element does not have.
        case attrNameLookup = "ATTR_NAME_LOOKUP"
    }
}

extension OpenAPISettings {
    /// What happens to requests that an OpenAPI document does not allow.
    public enum Check: String, Sendable, Hashable, CaseIterable {
        /// Nothing.
        case off
        /// They are answered, and the journal, the log and the report tell.
        case warn
        /// They are refused with every reason.
        case enforce
    }
}

/// What the client's certificate says. An addition to WireMock.
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
