public import SDMatching
public import SDStubModel

/// Findings about a single stub.
public enum StubLint {
    /// The findings about a stub that a call adds; none about one that is as it was recorded.
    /// - Parameter isTemplate: whether every response is a template, unless it says otherwise.
    public static func findings(in mapping: StubMapping, isTemplate: Bool = false) -> [LintFinding] {
        let findings =
            PatternLint.findings(in: mapping.request, at: ["request"])
            + (ResponseLint.isPlain(mapping) ? [] : ResponseLint.findings(in: mapping, isTemplate: isTemplate))
            + WebhookLint.findings(in: mapping)
        return findings.isEmpty || mapping.isAsRecorded ? [] : findings
    }

    /// The findings about a stub that is compiled; none about one that is as it was recorded.
    /// - Parameter isTemplate: whether every response is a template, unless it says otherwise.
    public static func findings(
        in mapping: borrowing StubMapping, compiled pattern: CompiledPattern, isTemplate: Bool = false
    ) -> [LintFinding] {
        // Most of the stubs of a large file have nothing to look at.
        var findings: [LintFinding] = []
        if !PatternLint.isPlain(mapping.request) {
            findings = PatternLint.findings(in: mapping.request, compiled: pattern, at: ["request"])
        }
        if !ResponseLint.isPlain(mapping) {
            findings += ResponseLint.findings(in: copy mapping, isTemplate: isTemplate)
        }
        findings += WebhookLint.findings(in: mapping)
        return findings.isEmpty || mapping.isAsRecorded ? [] : findings
    }

    /// Whether anything in a response of the stub is a template; false for most.
    /// - Parameter isTemplate: whether every response is a template, unless it says otherwise.
    public static func hasTemplates(_ mapping: StubMapping, isTemplate: Bool = false) -> Bool {
        mapping.resource != nil
            || ResponseLint.responses(of: mapping).contains { response, _ in
                response.template ?? (isTemplate || ResponseLint.isTemplate(response))
                    || response.statusTemplate != nil || response.fixedDelayTemplate != nil
            }
    }
}
