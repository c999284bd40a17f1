import SDPlatform
import SDRegularExpressions

/// WireMock's helpers for regular expressions.
enum RegexHelpers {
    static let table: [String: Helper] = ["matches": matches, "regexExtract": regexExtract]

    /// - Returns: nil for an invalid regular expression.
    /// - Throws: `RenderError` if the budget is exhausted.
    private static func regex(
        _ pattern: String, _ options: JavaRegex.Options, _ call: HelperCall
    ) throws(RenderError) -> JavaRegex? {
        // It is compiled on each call; the time depends on its repetitions rather than its length.
        try call.renderer.spend(300 + 4 * pattern.utf8.count)
        let regex = try? JavaRegex(pattern, options)
        guard call.renderer.environment.budget.checkClock(call.renderer.environment.work) else { throw .outOfTime }
        return regex
    }

    private static let matches: Helper = { call throws(RenderError) in
        let (subject, pattern) = (call.parameter(0), call.parameter(1))
        guard !subject.isNull, !pattern.isNull else {
            return call.error("You must specify the string to be matched and the regular expression")
        }
        guard let regex = try regex(pattern.text, .dotStopsAtLineEnds, call) else {
            throw RenderError("Invalid regex string \(pattern.text)")
        }
        switch regex.match(Array(subject.text.utf8)[...], call.renderer.environment.budget) {
        case .match: return try call.truth(true)
        case .noMatch: return try call.truth(false)
        case .abandoned: throw .outOfTime
        }
    }

    private static let regexExtract: Helper = { call throws(RenderError) in
        let pattern = call.parameter(1).text
        guard let regex = try regex(pattern, [.anywhere, .dotStopsAtLineEnds], call) else {
            return call.error("Invalid regex string \(pattern)")
        }
        let text = Array(call.parameter(0).text.utf8)
        let budget = call.renderer.environment.budget
        let isNamed = call.parameters.count > 2
        var groups: [TemplateValue] = []
        var start = 0
        while start <= text.count, let found = regex.find(in: text[...], from: start, budget) {
            guard let whole = found[0] else { break }
            if !isNamed { return .text(String(decoding: text[whole], as: UTF8.self)) }
            groups += found.dropFirst().map { range in
                range.map { .text(String(decoding: text[$0], as: UTF8.self)) } ?? .null
            }
            start = whole.isEmpty ? whole.upperBound + 1 : whole.upperBound
        }
        if budget.isSpent { throw .outOfTime }
        guard !groups.isEmpty else {
            return call.option("default") ?? call.error("Nothing matched \(pattern)")
        }
        call.renderer.store(.values(groups), as: call.parameter(2).text)
        return .null
    }
}
