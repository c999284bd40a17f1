import SDHTTPMessages
import SDHTTPTransport
import SDJSON
import SDMatching
import SDMockEngine
import SDStubModel
import SDStubs

/// `/__admin/mappings/find-by-metadata`, `remove-by-metadata` and `unmatched`: stubs selected by metadata or counters.
/// Before `/mappings/{id}` in the table.
enum MetadataRoutes {
    static let all: [AdminRoute] = [
        AdminRoute("POST", "/mappings/find-by-metadata", later: find).matching.reading,
        AdminRoute("POST", "/mappings/remove-by-metadata", later: remove).matching,
        AdminRoute("GET", "/mappings/unmatched", later: listUnmatched).heavy.reading,
        AdminRoute("DELETE", "/mappings/unmatched", later: removeUnmatched).heavy.changingJournal,
    ]

    private static func find(_ call: AdminCall) throws(AdminError) -> AdminAnswer {
        let (matcher, warnings) = try matcher(call)
        call.log(warnings)
        do {
            let stubs = try call.session.stubs(withMetadata: matcher, now: call.request.wallTime)
            return call.stubs(stubs, headers: warnings.headers)
        } catch {
            throw AdminError(error)
        }
    }

    private static func remove(_ call: AdminCall) throws(AdminError) -> AdminAnswer {
        let (matcher, warnings) = try matcher(call)
        return call.change(.removeWithMetadata(matcher, now: call.request.wallTime)) { _ in
            call.log(warnings)
            return PlainResponse.emptyObject.adding(warnings.headers)
        }
    }

    private static func listUnmatched(_ call: AdminCall) -> AdminAnswer {
        call.stubs(call.session.unmatchedStubs)
    }

    private static func removeUnmatched(_ call: AdminCall) -> AdminAnswer {
        call.change(.removeUnmatched) { _ in .emptyObject }
    }

    /// The matcher in the body.
    /// - Throws: 422 for an invalid one.
    private static func matcher(
        _ call: AdminCall
    ) throws(AdminError) -> (matcher: CompiledMatcher, warnings: CallWarnings) {
        let (matcher, warnings) = try call.readWithWarnings { ValueMatcher.read($0, .single, &$1) }
        guard let matcher else { throw AdminError(422, ErrorDocument(code: 10, pointer: "/", title: "No matcher")) }
        do throws(PatternProblems) {
            return (try CompiledMatcher(matcher), warnings)
        } catch {
            throw AdminError(error)
        }
    }
}

extension AdminCall {
    /// A list of stubs: all, or one page of `total`.
    func stubs(
        _ stubs: [StubMapping], total: Int? = nil, headers: [(name: String, value: String)] = []
    ) -> AdminAnswer {
        let total = total ?? stubs.count
        return list(
            LongDocument(stubs) {
                $0.json(view: .api)
            } in: { list in
                ["mappings": list, "meta": ["total": number(total)]]
            }, headers: headers)
    }
}
