import SDStubModel

extension MissingSpace {
    /// Finds one in a file that consists of a single route: `GET /a:{}`.
    init?(inText text: String) {
        guard RouteKeySpelling.isLikely(text), let blank = text.utf8.firstIndex(where: RouteKey.isBlank),
            let colon = text[blank...].firstIndex(of: ":")
        else { return nil }
        let name = String(text[..<colon])
        let value = text[text.index(after: colon)...]
        self.init(name: name, suggestion: value.hasPrefix("{") ? "\(name): \(value)" : nil)
    }
}
