/// One of `multipartPatterns`.
package struct MultipartTest: Sendable {
    /// The pattern's own name, which is not a condition.
    let name: String?
    /// The expected file name; nil if it is not compared.
    let fileName: [UInt8]?
    /// Whether all parts must satisfy the pattern, instead of any part.
    let wantsAll: Bool
    package let headers: [RequestConditions.HeaderTest]
    package let body: [ValueTest]

    /// Whether the request passes. A request that is not multipart, or has no parts, never does, whatever the pattern.
    package func passes(_ content: RequestContent, _ views: inout RequestViews) -> Bool {
        guard content.isMultipart else { return false }
        for part in content.parts {
            guard views.spend(forTextOf: 640) else { return false }
            if passes(part, &views) != wantsAll { return !wantsAll }
        }
        return wantsAll && !content.parts.isEmpty
    }

    func passes(_ part: BodyPart, _ views: inout RequestViews) -> Bool {
        if let fileName, part.dispositionParameter("filename").map(Array.init) != fileName { return false }
        for header in headers
        where !header.test.passes(&views, forEach: { part.forEachHeaderValue(header.name, $0) }) {
            return false
        }
        for test in body where !test.passes(MatchValue(part.document), &views) { return false }
        return true
    }
}
