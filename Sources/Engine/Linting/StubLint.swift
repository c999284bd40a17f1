public import SDMatching
public import SDStubModel

/// Findings about a single stub.
public enum StubLint {
    /// The findings about a stub that a call adds; none for an unedited recorded stub.
    /// - Parameter isTemplate: whether responses are templates by default.
    public static func findings(in mapping: StubMapping, isTemplate: Bool = false) -> [LintFinding] {
        let findings =
            PatternLint.findings(in: mapping.request, at: ["request"])
            + (ResponseLint.isPlain(mapping) ? [] : ResponseLint.findings(in: mapping, isTemplate: isTemplate))
            + WebhookLint.findings(in: mapping)
        return findings.isEmpty || mapping.isAsRecorded ? [] : findings
    }

    /// The findings about a compiled stub; none for an unedited recorded stub.
    /// - Parameter isTemplate: whether responses are templates by default.
    public static func findings(
        in mapping: borrowing StubMapping, compiled pattern: CompiledPattern, isTemplate: Bool = false
    ) -> [LintFinding] {
        // Fast checks first: most stubs of a large file have no findings.
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

    /// Whether any part of the stub's responses is a template; false for most.
    /// - Parameter isTemplate: whether responses are templates by default.
    public static func hasTemplates(_ mapping: StubMapping, isTemplate: Bool = false) -> Bool {
        mapping.resource != nil
            || ResponseLint.responses(of: mapping).contains { response, _ in
                response.template ?? (isTemplate || ResponseLint.isTemplate(response))
                    || response.statusTemplate != nil || response.fixedDelayTemplate != nil
            }
    }
}
