internal import SDPlatform

/// Reformatted XML. Nil if the text is not XML or libxml2 is missing.
public enum XMLText {
    /// XML indented by two spaces a level: each element, comment and instruction on a line of its own, with a final
    /// line end, without a declaration and blank text. The layout of WireMock's 404 report and of `formatXml`.
    /// - Parameter limit: the number of bytes after which printing ends, because a deep document is mostly indentation.
    public static func pretty(_ bytes: ArraySlice<UInt8>, limit: Int = .max) -> String? {
        print(bytes, .pretty, limit: limit)
    }

    /// XML like `pretty`, with blank text on lines of its own: WireMock's layout of a request body in its 404 report.
    public static func prettyKeepingBlankText(_ bytes: ArraySlice<UInt8>) -> String? {
        print(bytes, .element)
    }

    /// XML on one line without blank text: `formatXml format=compact`.
    public static func compact(_ bytes: ArraySlice<UInt8>) -> String? {
        print(bytes, .compact)
    }

    private static func print(_ bytes: ArraySlice<UInt8>, _ style: XMLPrinter.Style, limit: Int = .max) -> String? {
        guard let document = try? XMLDocument(parsing: bytes, namespaceAware: false) else { return nil }
        return String(
            decoding: XMLPrinter.print(document.tree(.printing, .unlimited), style, limit: limit), as: UTF8.self)
    }
}
