import SDExplaining
import SDJSON
import SDMatching
import SDStubModel
import SDTestData
import Testing

/// Conditions on the certificate that a client showed.
@Suite struct ClientCertificateTests {
    private static let certificate: [CertificateField: [String]] = [
        .subject: ["CN=alice,O=Example"], .issuer: ["CN=Test CA"], .serialNumber: ["01AF"],
        .fingerprint: ["00ff"], .notBefore: ["2025-12-31T00:00:00Z"], .notAfter: ["2026-12-31T00:00:00Z"],
        .alternativeNames: ["DNS:alice.example", "email:alice@example.org"], .pem: ["-----BEGIN CERTIFICATE-----"],
    ]

    private func pattern(_ conditions: String) throws -> CompiledPattern {
        let json = try JSONValue(parsing: #"{"clientCertificate": \#(conditions)}"#)
        return try CompiledPattern(try RequestPattern(json: json))
    }

    /// Conditions, and whether they hold with the certificate and without one.
    @Test(arguments: [
        ("{}", true, true),
        (#"{"subject": {"contains": "CN=alice"}}"#, true, false),
        (#"{"subject": {"equalTo": "CN=alice,O=Example"}, "issuer": {"matches": "CN=.* CA"}}"#, true, false),
        (#"{"subject": {"contains": "CN=alice"}, "issuer": {"contains": "other"}}"#, false, false),
        (#"{"subject": {"absent": true}}"#, false, true),
        (#"{"subject": {"absent": false}}"#, true, false),
        (#"{"serialNumber": {"equalTo": "01af", "caseInsensitive": true}}"#, true, false),
        (#"{"fingerprint": {"equalTo": "00ff"}}"#, true, false),
        (#"{"notBefore": {"before": "now"}, "notAfter": {"after": "now"}}"#, true, false),
        (#"{"notAfter": {"before": "now"}}"#, false, false),
        (#"{"alternativeNames": {"contains": "alice@"}}"#, true, false),
        (#"{"alternativeNames": {"includes": [{"startsWith": "DNS:"}, {"startsWith": "email:"}]}}"#, true, false),
        (#"{"alternativeNames": {"hasExactly": [{"startsWith": "DNS:"}]}}"#, false, false),
        (#"{"pem": {"startsWith": "-----BEGIN"}}"#, true, false),
    ])
    func theConditionsOfACertificateHoldOrNot(conditions: String, withOne: Bool, withNone: Bool) throws {
        let pattern = try pattern(conditions)
        var request = TestRequest()
        for (certificate, expected) in [(Self.certificate, withOne), ([:], withNone)] {
            request.certificate = certificate
            var views = RequestViews(request)
            #expect(pattern.matches(request, &views) == expected)
            let evaluation = pattern.evaluate(request, &views)
            #expect(evaluation.matches == expected)
            #expect((evaluation.distance == 0) == expected)
        }
    }

    @Test func aNearMissShowsWhatTheCertificateSays() throws {
        var request = TestRequest()
        request.certificate = Self.certificate
        var views = RequestViews(request)
        let seen = try pattern(#"{"subject": {"contains": "bob"}}"#).evaluate(request, &views)
            .conditions.first { $0.attribute == .certificate }
        #expect(seen?.actual == ["CN=alice,O=Example"])
        #expect(seen?.passes == false)
    }

    /// A document, and the place and the suggestion of its problem.
    @Test(arguments: [
        (#"{"subjct": {"equalTo": "a"}}"#, "/clientCertificate/subjct", "subject"),
        (#"{"CN": {"equalTo": "a"}}"#, "/clientCertificate/CN", "subject"),
        (#"{"subject": {"equalsTo": "a"}}"#, "/clientCertificate/subject", "equalTo"),
        (#"{"subject": {"includes": [{"equalTo": "a"}]}}"#, "/clientCertificate/subject", nil),
        (#""alice""#, "/clientCertificate", nil),
    ])
    func whatIsNoConditionIsRefused(conditions: String, pointer: String, suggestion: String?) throws {
        let error = #expect(throws: ModelProblems.self) { try pattern(conditions) }
        let problem = error?.problems.first
        #expect(problem?.pointer.text.hasPrefix(pointer) == true, "\(problem?.pointer.text ?? "")")
        #expect(problem?.suggestion == suggestion)
    }

    @Test func theConditionsAreWrittenAsTheyWereRead() throws {
        let json = try JSONValue(
            parsing: #"{"method": "ANY", "clientCertificate": {"subject": {"contains": "a"}, "pem": {"absent": true}}}"#
        )
        let pattern = try RequestPattern(json: json)
        #expect(pattern.json == json)
        #expect(pattern.hasConditions)
        var other = pattern
        other.clientCertificate.reverse()
        #expect(other == pattern)
        other.clientCertificate.removeLast()
        #expect(other != pattern)
    }
}
