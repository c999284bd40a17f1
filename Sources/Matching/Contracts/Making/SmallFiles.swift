import SDStubModel

/// Minimal files of some types, for binary answers.
enum SmallFiles {
    /// A minimal file of a content type; a few bytes for an unknown type.
    static func bytes(of type: String) -> [UInt8] {
        guard let range = MediaRange(type[...]) else { return [] }
        switch range.subtype {
        case "png":
            return decoded(
                "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=")
        case "gif": return decoded("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7")
        case "svg+xml": return Array("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"1\" height=\"1\"/>".utf8)
        case "zip": return [0x50, 0x4B, 5, 6] + Array(repeating: 0, count: 18)
        case "pdf":
            return Array(
                "%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n"
                    .utf8)
        default: return Array("made by a contract\n".utf8)
        }
    }

    private static func decoded(_ text: String) -> [UInt8] { (try? Base64.decode(text)) ?? [] }
}
