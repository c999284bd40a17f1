extension XMLProblem {
    /// Describes common errors like WireMock's parser (Xerces), with the same position if that can be derived.
    init(_ failure: LibXML2Document.Failure, _ bytes: ArraySlice<UInt8>) {
        guard !failure.isUnavailable else {
            self.init(line: 0, column: 0, message: failure.message, isUnavailable: true)
            return
        }
        let start = bytes.first { !$0.isXMLSpace }
        if start == nil {
            self.init(line: 1, column: bytes.count + 1, message: "Premature end of file.")
            return
        }
        if start != UInt8(ascii: "<") {
            self.init(line: 1, column: 1, message: "Content is not allowed in prolog.")
            return
        }
        let mistake = Mistake(failure, bytes)
        self.init(
            line: max(failure.line, 1), column: max(failure.column + mistake.shift, 1),
            message: mistake.words ?? failure.message)
    }
}

/// An error in a document. libxml2's numbers are those of `xmlParserErrors`.
private struct Mistake {
    private static let unfinished = "XML document structures must start and end within the same entity."
    private let failure: LibXML2Document.Failure
    private let bytes: ArraySlice<UInt8>

    init(_ failure: LibXML2Document.Failure, _ bytes: ArraySlice<UInt8>) {
        self.failure = failure
        self.bytes = bytes
    }

    /// The number of columns by which Xerces reports it later.
    var shift: Int {
        switch failure.code {
        case 5 where next == UInt8(ascii: "<"): 1
        case 42, 80, 201: 2
        case 62: 3
        case 76: -failure.other.utf8.count - 1
        default: 0
        }
    }

    var words: String? {
        switch failure.code {
        case 4: "The markup in the document preceding the root element must be well-formed."
        case 5:
            next == UInt8(ascii: "<")
                ? "The markup in the document following the root element must be well-formed."
                : "Content is not allowed in trailing section."
        case 26: "The entity \"\(failure.name)\" was referenced, but not declared."
        case 38:
            "The value of attribute \"\(attribute)\" associated with an element type \"\(element)\" must not contain the"
                + " '<' character."
        case 39:
            "Open quote is expected for attribute \"\(attribute)\" associated with an  element type  \"\(element)\"."
        case 41:
            "Attribute name \"\(failure.name)\" associated with an element type \"\(element)\" must be followed by the"
                + " ' = ' character."
        case 42: "Attribute \"\(failure.name)\" was already specified for element \"\(element)\"."
        case 45, 46, 47, 63, 73, 74, 77: Self.unfinished
        case 62:
            "The character sequence \"]]>\" must not appear in content unless used to mark the end of a CDATA section."
        case 64: "The processing instruction target matching \"[xX][mM][lL]\" is not allowed."
        case 65 where element.hasPrefix("?"): Self.unfinished
        case 65:
            "Element type \"\(element)\" must be followed by either attribute specifications, \">\" or \"/>\"."
        case 68:
            previous == UInt8(ascii: "&")
                ? "The entity name must immediately follow the '&' in the entity reference."
                : "The markup in the document preceding the root element must be well-formed."
        case 76:
            "The element type \"\(failure.name)\" must be terminated by the matching end-tag \"</\(failure.name)>\"."
        case 80: "The string \"--\" is not permitted within comments."
        case 201: unboundPrefix
        default: nil
        }
    }

    private var unboundPrefix: String {
        if failure.third.isEmpty {
            return "The prefix \"\(failure.name)\" for element \"\(failure.name):\(failure.other)\" is not bound."
        }
        return "The prefix \"\(failure.name)\" for attribute \"\(failure.name):\(failure.other)\" associated with an"
            + " element type \"\(failure.third)\" is not bound."
    }

    /// libxml2's position as an index into `bytes`.
    private var place: Int {
        var line = 1
        var index = bytes.startIndex
        while index < bytes.endIndex, line < failure.line {
            if bytes[index] == 0x0A { line += 1 }
            index += 1
        }
        return min(index + max(failure.column - 1, 0), bytes.endIndex)
    }

    private var next: UInt8? { place < bytes.endIndex ? bytes[place] : nil }
    private var previous: UInt8? { place > bytes.startIndex ? bytes[place - 1] : nil }

    /// The name before the last `=` before the position.
    private var attribute: String {
        guard let end = bytes[..<place].lastIndex(of: UInt8(ascii: "=")) else { return "" }
        let name = bytes[..<end].reversed().drop(while: \.isXMLSpace).prefix { !$0.isXMLSpace }
        return String(decoding: name.prefix(128).reversed(), as: UTF8.self)
    }

    /// The name in the start tag around the position.
    private var element: String {
        guard let start = bytes[..<place].lastIndex(of: UInt8(ascii: "<")) else { return "" }
        let name = bytes[(start + 1)...].prefix { !$0.isXMLSpace && $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "/") }
        return String(decoding: name.prefix(128), as: UTF8.self)
    }
}
