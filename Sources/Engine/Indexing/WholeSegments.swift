public import SDStubModel

extension URLPattern {
    /// Whether each variable of the template is a whole segment, so that the shape is exact. Splits like
    /// `PathTemplate`.
    public var isTemplateOfWholeSegments: Bool {
        guard case .urlPathTemplate(let text) = self else { return false }
        let bytes = Array(text.utf8)
        var index = 0
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "*"), index + 1 < bytes.count, bytes[index + 1] == UInt8(ascii: "*") {
                return false
            }
            if bytes[index] == UInt8(ascii: "{"), let close = bytes[index...].firstIndex(of: UInt8(ascii: "}")),
                close > index + 1
            {
                guard index > 0, bytes[index - 1] == UInt8(ascii: "/") else { return false }
                index = close + 1
                guard index == bytes.count || bytes[index] == UInt8(ascii: "/") else { return false }
            } else {
                index += 1
            }
        }
        return true
    }
}
