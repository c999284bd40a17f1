import SDArchives
import SDCapture
import SDHTTPMessages
import SDJSON
import SDMockEngine
import SDRecording
import SDStubModel
import SDStubs

extension MappingRoutes {
    /// Adds stubs made from an HTTP Archive (HAR). Stubs for the same requests are replaced. An addition to WireMock's
    /// admin API, like the import of other files.
    /// - Throws: 422 with locations in the archive.
    static func importArchive(_ call: AdminCall, named name: String) throws(AdminError) -> AdminAnswer {
        let hosts = (call.query["host"] ?? "").split(separator: ",").map(String.init)
        let text = try call.text()
        let archive: HTTPArchive
        do throws(ArchiveProblems) {
            archive = try HTTPArchive(text, hosts: hosts)
        } catch {
            throw AdminError(422, ErrorDocument(error.diagnostics(file: name)))
        }
        var spec = RecordSpec()
        spec.persists = false
        let stubs = call.session.servable(RecordedStubs(of: archive.exchanges, spec))
        let mappings = Array(stubs.mappings.reversed())
        let answer: JSONValue = [
            "mappings": .array(
                mappings.map { stub in
                    var json: JSONObject = ["id": .string(stub.idText)]
                    json["name"] = stub.name.map { .string($0) }
                    return .object(json)
                }),
            "warnings": .array((archive.warningTexts(file: name) + stubs.warnings).map { .string($0) }),
        ]
        return call.change(.importAll(StubImport(mappings: mappings))) { _ in .json(answer) }
    }
}
