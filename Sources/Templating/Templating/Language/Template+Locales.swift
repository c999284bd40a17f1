import SDJavaTime

/// A call in a template with an unknown locale, or with a locale where none is accepted.
struct LocaleFinding {
    /// The byte offset of the call in the template.
    let offset: Int
    /// The message: a sentence without a full stop.
    let message: String
    /// What is valid there.
    let expected: String
    /// The suggestion; nil for none.
    var suggestion: String?
}

extension Template {
    /// The findings about constant locales.
    var localeFindings: [LocaleFinding] {
        var findings: [LocaleFinding] = []
        nodes.forEachCall { findings += $0.localeFindings }
        return findings
    }
}

extension TemplateExpression {
    /// Helpers without a `locale` option that are often assumed to have one.
    private static let withoutOption: Set = ["now", "date", "parseDate", "stringFormat", "numberFormat"]

    fileprivate var localeFindings: [LocaleFinding] {
        guard let name = helper?.name else { return [] }
        let option = hash.last { $0.name == "locale" }?.value
        var findings: [LocaleFinding] = []
        if option != nil, Self.withoutOption.contains(name) {
            let advice =
                name == "numberFormat"
                ? "the locale as the third parameter: numberFormat 1.5 'currency' 'de_AT'"
                : "dateFormat, which takes a locale: dateFormat (now) 'full' 'de_AT'"
            findings.append(
                LocaleFinding(
                    offset: offset, message: "\(name) has no option \"locale\", so it writes English", expected: advice)
            )
        }
        let use = name == LocaleUse.dateFormat.helper ? LocaleUse.dateFormat : LocaleUse.numberFormat
        guard name == use.helper else { return findings }
        var named = parameters.count > use.parameter ? parameters[use.parameter] : nil
        if named == nil, use.hasOption { named = option }
        if case .literal(.text(let text))? = named, let problem = use.problem(text) {
            findings.append(
                LocaleFinding(
                    offset: offset, message: "\(name) fails: \(problem.message)", expected: "a locale such as de_AT",
                    suggestion: problem.suggestion))
        }
        return findings
    }
}

extension [TemplateNode] {
    /// Calls a closure with each expression, outer ones before nested ones.
    func forEachCall(_ visit: (TemplateExpression) -> Void) {
        for node in self {
            switch node {
            case .text: break
            case .output(let expression), .json(let expression): expression.forEachCall(visit)
            case .block(let block):
                block.expression.forEachCall(visit)
                block.body.forEachCall(visit)
                block.inverse.forEachCall(visit)
            case .partial(let partial):
                partial.context?.forEachCall(visit)
                for (_, value) in partial.hash { value.forEachCall(visit) }
                partial.fallback?.forEachCall(visit)
            case .inline(_, let body): body.forEachCall(visit)
            }
        }
    }
}

extension TemplateExpression {
    fileprivate func forEachCall(_ visit: (TemplateExpression) -> Void) {
        visit(self)
        for parameter in parameters { parameter.forEachCall(visit) }
        for (_, value) in hash { value.forEachCall(visit) }
    }
}

extension TemplateOperand {
    fileprivate func forEachCall(_ visit: (TemplateExpression) -> Void) {
        if case .call(let expression) = self { expression.forEachCall(visit) }
    }
}
