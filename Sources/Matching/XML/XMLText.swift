/// XML laid out anew. Nil where the text is no XML, or where libxml2 is missing.
public enum XMLText {
    /// Two spaces a level, each element, comment and instruction on a line of its own, a line end at the end, no
    /// declaration; text that is only white space is left out. As in WireMock's 404 report and `formatXml`.
    public static func pretty(_ bytes: ArraySlice<UInt8>) -> String? {
        print(bytes, .pretty)
    }

    /// The same, but blank text stays, on lines of its own: how WireMock prints the body of the request in its 404 report.
    public static func prettyKeepingBlankText(_ bytes: ArraySlice<UInt8>) -> String? {
        print(bytes, .element)
    }

    /// On one line, without text that is only white space: `formatXml format=compact`.
    public static func compact(_ bytes: ArraySlice<UInt8>) -> String? {
        print(bytes, .compact)
    }

    private static func print(_ bytes: ArraySlice<UInt8>, _ style: XMLPrinter.Style) -> String? {
        guard let document = try? XMLDocument(parsing: bytes, namespaceAware: false) else { return nil }
        return String(decoding: XMLPrinter.print(document.tree(.printing), style), as: UTF8.self)
    }
}
