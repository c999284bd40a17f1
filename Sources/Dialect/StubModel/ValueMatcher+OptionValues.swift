/// The values of options that are one of several names.
extension ValueMatcher {
    /// `schemaVersion`: the draft of JSON Schema that a schema is written in.
    public enum SchemaDraft: String, Sendable, Hashable, CaseIterable {
        case draft4 = "V4"
        case draft6 = "V6"
        case draft7 = "V7"
        case draft201909 = "V201909"
        case draft202012 = "V202012"
    }

    /// `namespaceAwareness`: how far namespaces count when XML is compared.
    public enum XMLNamespaces: String, Sendable, Hashable, CaseIterable {
        case strict = "STRICT"
        case legacy = "LEGACY"
        case none = "NONE"
    }

    /// A unit of `expectedOffsetUnit`, and of a distance such as `now +3 days`.
    public enum DateDistanceUnit: String, Sendable, Hashable, CaseIterable {
        case seconds, minutes, hours, days, months, years
    }

    /// A value of `truncateExpected` and `truncateActual`.
    public enum DateBoundary: String, Sendable, Hashable, CaseIterable {
        case firstSecondOfMinute = "first second of minute"
        case firstMinuteOfHour = "first minute of hour"
        case firstHourOfDay = "first hour of day"
        case firstDayOfMonth = "first day of month"
        case firstDayOfNextMonth = "first day of next month"
        case lastDayOfMonth = "last day of month"
        case firstDayOfYear = "first day of year"
        case firstDayOfNextYear = "first day of next year"
        case lastDayOfYear = "last day of year"
    }

    /// An element of `exemptedComparisons`: a kind of difference between two XML documents, by its name in XMLUnit.
    public enum XMLDifference: String, Sendable, Hashable, CaseIterable {
        case xmlVersion = "XML_VERSION"
        case xmlStandalone = "XML_STANDALONE"
        case xmlEncoding = "XML_ENCODING"
        case hasDoctypeDeclaration = "HAS_DOCTYPE_DECLARATION"
        case doctypeName = "DOCTYPE_NAME"
        case doctypePublicID = "DOCTYPE_PUBLIC_ID"
        case doctypeSystemID = "DOCTYPE_SYSTEM_ID"
        case schemaLocation = "SCHEMA_LOCATION"
        case noNamespaceSchemaLocation = "NO_NAMESPACE_SCHEMA_LOCATION"
        case nodeType = "NODE_TYPE"
        case namespacePrefix = "NAMESPACE_PREFIX"
        case namespaceUri = "NAMESPACE_URI"
        case textValue = "TEXT_VALUE"
        case processingInstructionTarget = "PROCESSING_INSTRUCTION_TARGET"
        case processingInstructionData = "PROCESSING_INSTRUCTION_DATA"
        case elementTagName = "ELEMENT_TAG_NAME"
        case elementNumAttributes = "ELEMENT_NUM_ATTRIBUTES"
        case attrValueExplicitlySpecified = "ATTR_VALUE_EXPLICITLY_SPECIFIED"
        case attrValue = "ATTR_VALUE"
        case childNodelistLength = "CHILD_NODELIST_LENGTH"
        case childNodelistSequence = "CHILD_NODELIST_SEQUENCE"
        case childLookup = "CHILD_LOOKUP"
        case attrNameLookup = "ATTR_NAME_LOOKUP"
    }
}
