// Made by `make dialect` of Sources/Dialect/Table; do not edit.
// swift-format-ignore-file

package import SDJSON

/// A webhook to call after the response was sent: the parameters of WireMock's listener `webhook`, with additions. Its
/// texts are templates.
package struct WebhookParameters: Sendable {
    /// The method; by default POST with a body, otherwise GET.
    package var method: String = "GET"
    /// The URL to call.
    package var url: String = ""
    /// Names and values of the headers.
    package var headers: [ResponseHeader] = []
    /// A text.
    package var text: String?
    /// Bytes in Base64.
    package var bytes: [UInt8]?
    /// Any value, sent as compact JSON.
    package var json: JSONValue?
    /// The path of a file below `__files`.
    package var file: String?
    /// The parts of a multipart/form-data body.
    package var multipart: [Part]?
    /// The delay before it is sent.
    package var delay: DelayDistribution?
    /// How often a failed call is repeated.
    package var retry: Retry?
    /// A header that signs the body.
    package var signature: WebhookParameters.Signature?

    init() {}
}

extension WebhookParameters {
    package static var names: [String] { DialectNames.webhookParameters }
    package static let bodyNames: [String] = ["body", "base64Body", "jsonBody", "bodyFileName", "multipart"]

    /// Reads the members of an object; others are reported.
    package mutating func readMembers(of object: JSONObject, _ reader: inout ModelReader) {
        for member in object.members {
            guard let index = reader.index(of: member, in: DialectNames.webhookParameters) else { continue }
            reader.within(member.key) { readMember(index, member.value, &$0) }
        }
    }

    /// Reads the member of this index among `names`.
    package mutating func readMember(_ index: Int, _ value: JSONValue, _ reader: inout ModelReader) {
        switch index {
        case 0: readMethod(value, &reader)
        case 1: readURL(value, &reader)
        case 2: headers = Self.readHeaders(value, &reader)
        case 3: text = value.stringValue
        case 4: bytes = Body.readBytes(value, &reader)
        case 5: json = value.isNull ? nil : value
        case 6: file = value.stringValue
        case 7: multipart = Self.readParts(value, &reader)
        case 8: delay = Self.readDelay(value, &reader)
        case 9: retry = Retry.readTimesOrObject(value, &reader)
        case 10: signature = WebhookParameters.Signature.read(value, &reader)
        default: break
        }
    }
}
