import SDHTTPMessages
import SDHTTPTransport
import SDStubModel

/// A response of whose body requests may ask for parts.
final class RangedResponse: Responder {
    private let body: BodyBytes?
    private let file: String?
    private let events = BodyEvents()

    /// - Parameters:
    ///   - body: the body in the definition; nil for a file.
    ///   - file: the path of the body file.
    init(body: [UInt8]?, file: String?) {
        self.body = body.map { BodyBytes($0) }
        self.file = file
    }

    func respond(to decision: inout Decision, _ answer: consuming Answer) {
        let definition = answer.maker.stub.response.definition
        if let body {
            return answer.send(definition, .bytes(body), shared: SharedBody(version: 0, events: events))
        }
        do throws(BodyFileError) {
            let file = try answer.session.files.read(file ?? "")
            let shared = SharedBody(version: file.version, events: events)
            answer.send(definition, file.content, isFile: true, shared: shared)
        } catch {
            answer.fail("the body file \(error.path) cannot be served: \(error.reason)")
        }
    }
}

/// The parts of a body that a request asks for, and the response with them.
struct RangedPart {
    let definition: ResponseDefinition
    let content: [BodyContent]

    /// Makes the response of the ranges that a request asks for; nil if it asks for the whole body.
    init?(of content: BodyContent, _ whole: ResponseDefinition, _ request: Request) {
        guard whole.status == 200, whole.fault == nil, request.method.elementsEqual("GET".utf8) else { return nil }
        func value(_ name: String) -> String? {
            whole.headers.first { $0.name.lowercased() == name }?.values.first
        }
        let validators = [value("etag"), value("last-modified")].compactMap(\.self)
        guard
            let selection = RangeSelection(
                request, of: content, mediaType: value("content-type"), boundary: "stuntdouble",
                holdsIf: { validators.contains($0) })
        else { return nil }
        var response = whole
        response.status = selection.status
        response.statusMessage = nil
        response.headers.removeAll { header in
            let name = header.name.lowercased()
            return name == "content-length" || name == "content-type" && !selection.keepsType
        }
        for (name, value) in selection.headers { response.headers.append(ResponseHeader(name, [value])) }
        definition = response
        self.content = selection.content
    }
}
