import SDChannels
import SDHTTPMessages
import SDJSON
import SDJournal
import SDMatching
import SDMockEngine
import SDPlatform
import SDStubModel
import SDTemplating
import SDWebSocket

/// `/__admin/channels` and `/__admin/channel-providers` of WireMock 4.
enum ChannelRoutes {
    static let all: [AdminRoute] = [
        AdminRoute("GET", "/channels", list).heavy.ofAll(adding: "total"),
        AdminRoute("POST", "/channels", create),
        AdminRoute("POST", "/channels/send", send).matching.ofAll(adding: "channelsMessaged"),
        AdminRoute("POST", "/channels/find", find).matching.ofAll(adding: "total"),
        AdminRoute("GET", "/channels/{id}", get).own,
        AdminRoute("DELETE", "/channels/{id}", close).ofAll.query("code", "reason"),
        AdminRoute("GET", "/channel-providers", listProviders),
        AdminRoute("POST", "/channel-providers", createProvider),
        AdminRoute("GET", "/channel-providers/{name}", getProvider),
        AdminRoute("PUT", "/channel-providers/{name}", renameProvider),
        AdminRoute("DELETE", "/channel-providers/{name}", removeProvider),
    ]

    // MARK: Channels

    private static func list(_ call: AdminCall) -> PlainResponse { list(call.session.channels.all) }

    private static func list(_ channels: [Channel]) -> PlainResponse {
        .json([
            "channels": .array(channels.map { $0.json(isOpen: $0.isOpen) }),
            "meta": ["total": number(channels.count)],
        ])
    }

    /// The WebSockets opened by matching requests. An addition to WireMock's calls.
    private static func find(_ call: AdminCall) throws(AdminError) -> PlainResponse {
        let pattern = try call.read { json throws(ModelProblems) in try RequestPattern(json: json) }
        return list(try channels(openedBy: pattern, at: "", call))
    }

    /// - Parameter pointer: the pointer to the pattern in the body.
    private static func channels(
        openedBy request: RequestPattern?, at pointer: String, _ call: AdminCall
    ) throws(AdminError) -> [Channel] {
        var pattern: CompiledPattern?
        if let request {
            do throws(PatternProblems) {
                pattern = try CompiledPattern(request, at: pointer)
            } catch {
                throw AdminError(error)
            }
        }
        let budget = call.session.newBudget
        let found = call.session.channels.all(openedBy: pattern, budget)
        if let exhaustion = budget.exhaustion { throw AdminError(exhaustion.refusal(of: "Matching channels")) }
        return found
    }

    private static func get(_ call: AdminCall) throws(AdminError) -> PlainResponse {
        guard let channel = call.session.channels.channel(try call.id()) else { throw .notFound }
        return .json(channel.json(isOpen: channel.isOpen))
    }

    private static func close(_ call: AdminCall) throws(AdminError) -> PlainResponse {
        let channels = call.session.channels
        let code = try call.count("code") ?? 1000
        let reason = call.query["reason"] ?? (code == 1000 ? "Closed by server" : "")
        guard (1000...4999).contains(code), ![1004, 1006, 1015].contains(code), reason.utf8.count <= 123 else {
            let title =
                "A close has a code from 1000 to 4999, but for 1004, 1006 and 1015, and at most 123 bytes of reason"
            throw AdminError(400, ErrorDocument(code: 10, pointer: "code", title: title))
        }
        if let channel = channels.channel(try call.id()) { channels.close(channel, code, reason) }
        return .emptyObject
    }

    private static func create(_ call: AdminCall) throws(AdminError) -> PlainResponse {
        let names = ["providerName", "channelName"]
        let found = try read(call, .fixedChannel, names, required: names)
        let channels = call.session.channels
        let (provider, name) = (found.texts["providerName"] ?? "", found.texts["channelName"])
        guard let name else { throw problem("/channelName", "the name of the channel is null") }
        guard let owner = channels.provider(provider) else {
            let title = "No channel provider registered with name: \(provider)"
            throw AdminError(422, ErrorDocument(code: 10, title: title))
        }
        guard channels.fixed(provider, name) == nil, let channel = channels.addFixed(owner, name) else {
            let title = "Channel \(name) already exists via provider \(provider)"
            throw AdminError(409, ErrorDocument(code: 409, title: title))
        }
        return .json(channel.json(isOpen: true), status: 201)
    }

    // MARK: Sending

    private static func send(_ call: AdminCall) throws(AdminError) -> PlainResponse {
        let names = ["type", "message", "initiatingRequest", "providerName", "channelName"]
        let sent = try read(call, .sentMessage, names, required: ["message"])
        guard let definition = sent.message else {
            throw problem("message", "expected a message such as {\"body\": \"hi\"}")
        }
        let type = sent.texts["type"]
        if let type, !["websocket", "fixed"].contains(type) {
            throw problem("/type", "unknown type \(type); expected websocket or fixed")
        }
        let message = try message(definition, call)
        let (session, channels) = (call.session, call.session.channels)
        guard type == "fixed" else {
            // As in WireMock, without a type no channel is selected.
            let targets = type == nil ? [] : try Self.channels(openedBy: sent.request, at: "/initiatingRequest", call)
            channels.send(message, to: targets, in: session)
            return .json([
                "channels": .array(targets.map { $0.json(isOpen: true) }), "channelsMessaged": number(targets.count),
            ])
        }
        let (provider, name) = (sent.texts["providerName"] ?? "", sent.texts["channelName"] ?? "")
        guard let channel = channels.fixed(provider, name) else { throw .notFound }
        channels.deliver(message, to: channel, in: session, session.newBudget)
        return .empty
    }

    private static func problem(_ pointer: String, _ title: String) -> AdminError {
        AdminError(422, ErrorDocument(code: 10, pointer: pointer, title: title))
    }

    /// The message to send, unchanged: no templates, compact JSON.
    private static func message(_ definition: MessageDefinition, _ call: AdminCall) throws(AdminError)
        -> WebSocketMessage
    {
        guard let body = definition.body else { throw problem("message", "the message has no body") }
        switch body.content {
        case .text(let text): return .text(text)
        case .json(let value): return .text(value.compactText)
        case .bytes(let bytes): return .binary(bytes)
        case .file(let path):
            do throws(RenderError) {
                return try call.session.fileMessage(path)
            } catch {
                throw AdminError(404, ErrorDocument(code: 10, pointer: "/message/body/filePath", title: error.message))
            }
        case .stored(let store, let key):
            throw problem("/message/body", "there is no value \(key) in a store named \(store)")
        }
    }

    // MARK: Providers

    private static func listProviders(_ call: AdminCall) -> PlainResponse {
        let providers = call.session.channels.providers
        return .json(["channelProviders": .array(providers.map(\.json)), "meta": ["total": number(providers.count)]])
    }

    private static func getProvider(_ call: AdminCall) throws(AdminError) -> PlainResponse {
        guard let provider = call.session.channels.provider(call.parameters["name"] ?? "") else { throw .notFound }
        return .json(provider.json)
    }

    private static let providerMembers = ["name", "driverType", "settings"]

    private static func createProvider(_ call: AdminCall) throws(AdminError) -> PlainResponse {
        let sent = try read(call, .channelProvider, providerMembers, required: ["name", "driverType"])
        guard let name = sent.texts["name"] else { throw problem("/name", "the name is null") }
        let driver = sent.texts["driverType"] ?? "null"
        guard driver == "in-memory" else {
            throw AdminError(422, ErrorDocument(code: 10, title: "No driver registered for type: \(driver)"))
        }
        let provider = call.session.channels.addProvider(name, driver: driver, settings: sent.settings)
        return .json(provider.json, status: 201)
    }

    private static func renameProvider(_ call: AdminCall) throws(AdminError) -> PlainResponse {
        guard let provider = call.session.channels.provider(call.parameters["name"] ?? "") else { throw .notFound }
        let sent = try read(call, .channelProvider, providerMembers, required: ["name", "driverType"])
        guard let name = sent.texts["name"] else { throw problem("/name", "the name is null") }
        guard sent.texts["driverType"] == provider.driver else {
            throw problem("driverType", "driverType cannot be changed; use delete and re-register")
        }
        guard sent.settings == provider.settings else {
            throw problem("settings", "settings cannot be changed; use delete and re-register")
        }
        provider.rename(name)
        return .json(provider.json)
    }

    private static func removeProvider(_ call: AdminCall) -> PlainResponse {
        call.session.channels.removeProvider(call.parameters["name"] ?? "")
        return .emptyObject
    }

    // MARK: Bodies

    /// The body of a call about channels.
    private struct Sent {
        var texts: [String: String] = [:]
        var settings = JSONObject()
        var request: RequestPattern?
        var message: MessageDefinition?
    }

    private static func read(
        _ call: AdminCall, _ javaClass: JavaClass, _ names: [String], required: [String]
    ) throws(AdminError) -> Sent {
        try call.read { json throws(ModelProblems) in
            var (sent, reader) = (Sent(), ModelReader())
            if json.isNull {
                reader.refuse("the body is null", expected: "an object", found: "null")
            } else if let object = reader.object(json, javaClass), reader.requires(required, in: object) {
                for member in object.members {
                    reader.member(member, class: javaClass, of: names) { reader in
                        switch member.key {
                        case "settings": sent.settings = reader.object(member.value, .providerSettings) ?? JSONObject()
                        case "initiatingRequest": sent.request = reader.requestPattern(member.value)
                        case "message": sent.message = MessageDefinition.read(member.value, &reader)
                        default: sent.texts[member.key] = reader.string(member.value)
                        }
                    }
                }
            }
            guard reader.problems.isEmpty else { throw ModelProblems(reader.problems) }
            return sent
        }
    }
}

extension JavaClass {
    fileprivate static let providerSettings = JavaClass(
        "java.util.LinkedHashMap", generic: "java.util.LinkedHashMap<java.lang.String,java.lang.Object>", isMap: true)
}

extension ChannelProvider {
    fileprivate var json: JSONValue {
        ["name": .string(name), "driverType": .string(driver), "settings": .object(settings)]
    }
}
