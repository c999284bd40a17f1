import SDHTTPTransport
import SDJSON
import SDJournal
import SDMatching
import SDPlatform
import SDStubModel
package import SDTemplating
import Synchronization

/// The server for the helpers of a template, for one response.
package final class TemplateSystem: RenderSystem {
    let session: any TemplateSession
    // Used only by the thread that renders, and never re-entered.
    @exclusivity(unchecked) private var generator: SeededGenerator
    package let wallTime: UInt64
    /// The number of the request in its session; nil during matching.
    let sequence: UInt64?

    /// - Parameters:
    ///   - sequence: the number of the request in its session: the same requests sample the same numbers, whatever the
    ///     order of their responses.
    ///   - place: the position in the answer, for one that is rendered in parts.
    ///   - wallTime: the time of the request, in nanoseconds since 1970.
    package init(_ session: any TemplateSession, sequence: UInt64?, place: Int = 0, wallTime: UInt64) {
        self.session = session
        self.sequence = sequence
        generator = SeededGenerator(
            seed: session.seed ^ (sequence ?? 0) &* 0x9E37_79B9_7F4A_7C15
                ^ UInt64(truncatingIfNeeded: place) &* 0xD1B5_4A32_D192_ED03)
        self.wallTime = wallTime
    }

    package func random() -> UInt64 { generator.next() }

    package var hostName: String { session.templates.hostName }

    package func systemValue(_ key: String, isProperty: Bool) -> SystemValue {
        let templates = session.templates
        guard templates.permits(key) else { return .denied }
        guard !isProperty, let value = templates.environmentVariable(key) else { return .missing }
        return .value(value)
    }

    package func value(of call: ServerCall) throws(RenderError) -> TemplateValue {
        // Other helpers take the session's lock, which may be held during matching.
        guard sequence != nil || call.name == "state" || call.name == "hmac" else {
            throw RenderError("\(call.name) cannot be used while a request is matched")
        }
        return switch call.name {
        case "state": try stateValue(call)
        case "counter": try count(call)
        case "data": try dataValue(call)
        case "journal": try journalValue(call)
        case "jwt": try token(call)
        case "jwks": try keySet(call)
        case "hmac": try authenticationCode(call)
        default: throw RenderError("could not find helper: '\(call.name)'")
        }
    }
}
