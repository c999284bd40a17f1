import SDTestSupport

/// Random well-formed documents.
enum RandomXML {
    static func document(_ generator: inout TestGenerator) -> String {
        let prologs = ["", "", "<?xml version='1.0'?>", "<!-- c -->", "<!DOCTYPE a>"]
        return (prologs.randomElement(using: &generator) ?? "") + element(&generator, depth: 0)
    }

    private static func element(_ generator: inout TestGenerator, depth: Int) -> String {
        let name = ["a", "b", "p:c", "é"].randomElement(using: &generator) ?? "a"
        let attributes = ["", " x='1'", " y='&lt;é'", " x='1' p:y=' 2 '"].randomElement(using: &generator) ?? ""
        let declaration = depth == 0 ? " xmlns:p='u'" : ""
        let pieces = ["t", " ", "&amp;", "<![CDATA[<]]>", "<!-- c -->", "<?p q?>", "\n  ", "é", "<e/>"]
        let content = (0..<Int.random(in: 0...4, using: &generator)).map { _ in
            depth < 4 && Bool.random(using: &generator)
                ? element(&generator, depth: depth + 1) : pieces.randomElement(using: &generator) ?? ""
        }
        return "<\(name)\(declaration)\(attributes)>\(content.joined())</\(name)>"
    }
}
