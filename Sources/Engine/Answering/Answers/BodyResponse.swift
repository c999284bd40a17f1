import SDHTTPMessages
import SDHTTPTransport
import SDJournal
import SDRecords
import SDStubModel

/// Sends a body whole, in the ranges that a request asks for, or not at all to a client that has it.
final class BodyResponse: Responder {
    private let body: BodyBytes?
    /// The path of the body file; nil for a body in the definition.
    package let file: String?
    /// The tag of a body in a definition without a validator.
    private let tag: String?
    private let events = BodyEvents()

    /// - Parameters:
    ///   - body: the body in the definition; nil for a file.
    ///   - file: the path of the body file.
    package init(body: [UInt8]?, file: String?, _ definition: borrowing ResponseDefinition) {
        self.body = body.map { BodyBytes($0) }
        self.file = body == nil ? file : nil
        tag = definition.lacksValidator ? body.map { definition.tag(of: $0) } : nil
    }

    package func respond(to decision: inout Decision, _ answer: consuming Answer) {
        var definition = answer.maker.stub.response.definition
        if let body {
            if let tag { definition.add(tag: tag) }
            return answer.send(definition, .bytes(body), shared: SharedBody(version: 0, events: events))
        }
        do throws(BodyFileError) {
            let file = try answer.session.files.read(file ?? "")
            let shared = SharedBody(version: file.version, events: events)
            if definition.lacksValidator { definition.add(tag: definition.tag(of: file)) }
            answer.send(definition, file.content, isFile: true, shared: shared)
        } catch {
            answer.fail("the body file \(error.path) cannot be served: \(error.reason)")
        }
    }
}

/// The requested ranges of a body, and the response with them.
struct RangedPart {
    package let definition: ResponseDefinition
    package let content: [BodyContent]

    /// Makes the response for the requested ranges; nil if the request asks for the whole body.
    package init?(of content: BodyContent, _ whole: ResponseDefinition, _ request: Request) {
        guard whole.status == 200, whole.fault == nil, request.method.elementsEqual("GET".utf8) else { return nil }
        let validators = [whole.firstValue("etag"), whole.firstValue("last-modified")].compactMap(\.self)
        guard
            let selection = RangeSelection(
                request, of: content, mediaType: whole.firstValue("content-type"), boundary: "stuntdouble",
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
