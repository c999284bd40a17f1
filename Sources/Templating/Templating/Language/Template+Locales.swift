import SDJavaTime

/// A call in a template that names a locale which is not there, or where none is taken.
struct LocaleFinding {
    /// The place of the call in the template, in bytes.
    let offset: Int
    /// The message, a sentence without a full stop.
    let message: String
    /// A description of what is valid there.
    let expected: String
    /// The locale that was probably meant; nil for none.
    var suggestion: String?
}

extension Template {
    /// The findings about locales that the template itself names.
    var localeFindings: [LocaleFinding] {
        var findings: [LocaleFinding] = []
        nodes.forEachCall { findings += $0.localeFindings }
        return findings
    }
}

extension TemplateExpression {
    /// The helpers with an option that is easily taken for one that they have.
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
    /// Calls a closure with each expression, those within others after them.
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
