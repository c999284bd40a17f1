import SDBasics
import SDPlatform

/// A part of a multipart body, with its parsed content.
package final class BodyPart {
    private let part: MultipartText.Part
    package let document: ParsedDocument

    init(_ part: MultipartText.Part, _ budget: WorkBudget) {
        self.part = part
        // WireMock reads every part as UTF-8, whatever charset it declares.
        document = ParsedDocument(part.body, budget)
    }

    /// The headers in order; names in lower case.
    package var headers: [(name: [UInt8], value: ArraySlice<UInt8>)] { part.headers }

    package func forEachHeaderValue(_ name: [UInt8], _ body: (ArraySlice<UInt8>) -> Bool) {
        for header in headers where header.name == name {
            if !body(header.value) { return }
        }
    }

    /// A parameter of the part's Content-Disposition, such as `name` or `filename`.
    package func dispositionParameter(_ name: String) -> ArraySlice<UInt8>? { part.dispositionParameter(name) }
}

/// Multipart bodies of requests.
enum Multipart {
    static func isMultipart(_ contentType: ArraySlice<UInt8>?) -> Bool {
        guard let contentType else { return false }
        let start = contentType.drop { $0 == 0x20 || ($0 >= 0x09 && $0 <= 0x0D) }.prefix(10)
        return String(decoding: start, as: UTF8.self).lowercased() == "multipart/"
    }

    /// The parts in order; empty without a boundary, or if the body does not contain it.
    static func parts(
        of body: ArraySlice<UInt8>, contentType: ArraySlice<UInt8>, _ budget: WorkBudget
    ) -> [BodyPart] {
        guard let boundary = HeaderParameters.value("boundary", in: contentType), !boundary.isEmpty else { return [] }
        let work = WorkBudget.Work("multipart body", "of \(body.count) bytes")
        let reading = MultipartText.parts(of: body, boundary: boundary) { budget.spend(4 + $0 / 16, for: work) }
        if reading.hasMore {
            // Matching compares every pattern with every part.
            budget.refuse("has more than \(MultipartText.most) parts, the most that are read", for: work)
        }
        return reading.parts.map { BodyPart($0, budget) }
    }
}
