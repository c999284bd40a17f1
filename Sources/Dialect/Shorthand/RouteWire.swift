import SDJSON
import SDStubModel

/// The shorthand's fields about how a response is sent: `hold`, `stream`, `early`, `trailers`, `ranges`,
/// `conditional`, and `proxy` for one that another server makes.
enum RouteWire {
    static let keys = ["hold", "stream", "early", "trailers", "ranges", "conditional", "proxy"]

    static func read(
        _ member: JSONObject.Member, into response: inout ResponseDefinition, _ reader: inout ModelReader
    ) {
        switch member.key {
        case "hold": response.hold = GateHold.read(member.value, &reader)
        case "stream": response.stream = StreamDefinition.read(member.value, &reader)
        case "early": response.early = EarlyResponse.readList(member.value, &reader)
        case "trailers": response.trailers = RouteShorthand.readHeaders(member.value, &reader)
        case "proxy": ProxyDefinition.read(member.value, &reader)?.apply(to: &response)
        case "ranges": response.ranges = reader.bool(member.value)
        default: response.conditional = reader.bool(member.value)
        }
    }
}
