import SDHTTPTransport
import SDJSON
import SDJournal
import SDMatching
import SDPlatform
import SDStubModel
package import SDTemplating
import Synchronization

/// The server as the helpers of a template see it, for one response.
package final class TemplateSystem: RenderSystem {
    let session: any TemplateSession
    // Belongs to the thread that renders, and is never accessed in the middle of another access.
    @exclusivity(unchecked) private var generator: SeededGenerator
    package let wallTime: UInt64
    /// The number of the request in its session; nil while it is matched.
    let sequence: UInt64?

    /// - Parameters:
    ///   - sequence: the number of the request in its session: the same requests draw the same numbers, whatever order
    ///     their responses are made in.
    ///   - place: the place in the answer, for one that is rendered in pieces.
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
        // The others take the session's lock, which may be held while a request is matched.
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
