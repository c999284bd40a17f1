// Made by `make dialect` of Sources/Dialect/Table; do not edit.
// swift-format-ignore-file

public import SDJSON
#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A WireMock stub mapping: the requests that it answers, and its answer.
public struct StubMapping: Sendable, Hashable {
    /// The id for the admin API, also readable as `uuid`.
    public var id: UUID = StubMapping.noID
    /// A label, shown in reports and in the response header `Matched-Stub-Name`.
    public var name: String?
    /// The requests that it answers; by default all.
    public var request: RequestPattern = RequestPattern()
    /// The answer; by default an empty 200.
    public var response: ResponseDefinition = ResponseDefinition()
    /// Whether the mapping is saved to disk when it is added or edited, and its file is deleted when it is removed.
    public var persistent: Bool?
    /// The priority; lower numbers win; by default 5.
    public var priority: Int?
    /// The scenario that it belongs to.
    public var scenarioName: String?
    /// The scenario state in which it answers; by default any. The initial state is `Started`.
    public var requiredScenarioState: String?
    /// The state that it sets; by default the state stays.
    public var newScenarioState: String?
    /// An object of your own, for the admin API.
    public var metadata: JSONObject?
    /// Actions after the answer: webhooks of WireMock 2.
    public var postServeActions: JSONValue?
    /// Listeners: `webhook` calls a URL, `recordState` and `deleteState` change the session's state; others have no
    /// effect.
    public var serveEventListeners: JSONValue?
    /// The position in insertion order; only in files written by the daemon.
    public var insertionIndex: Int?
    /// The number of requests to answer; then the next matching mapping answers. An addition to WireMock.
    public var times: Int?
    /// The remaining number of `times`; shown, but not read.
    public var timesLeft: Int?
    /// How long the mapping exists, such as `30s`. An addition to WireMock.
    public var ttlMilliseconds: Int?
    /// Whether it answers; with `false` it is only listed. An addition to WireMock.
    public var enabled: Bool?
    /// Several responses, one for each request, in place of `response`. An addition to WireMock.
    public var responses: ResponseSequence?
    /// A collection of records that is served in place of a response. An addition to WireMock.
    public var resource: ResourceDefinition? {
        get { boxedResource?.value }
        set { boxedResource = newValue.map(Boxed.init) }
    }
    private var boxedResource: Boxed<ResourceDefinition>?
    /// The CORS policy, as in a route. The admin API shows it as `metadata.stuntdouble.cors`, which is accepted as
    /// well. An addition to WireMock.
    public var cors: CORSPolicy? {
        get { boxedCORS?.value }
        set { boxedCORS = newValue.map(Boxed.init) }
    }
    private var boxedCORS: Boxed<CORSPolicy>?
    /// Whether a GET stub also answers HEAD if no other stub does. True for routes; never written.
    public var answersHead: Bool = false

    init() {}
}

extension StubMapping {
    package static var names: [String] { DialectNames.mapping }
    /// Whether it has nothing but id, name, request, response, priority, answersHead.
    package var isShort: Bool {
        persistent == nil
            && scenarioName == nil
            && requiredScenarioState == nil
            && newScenarioState == nil
            && metadata == nil
            && postServeActions == nil
            && serveEventListeners == nil
            && insertionIndex == nil
            && times == nil
            && timesLeft == nil
            && ttlMilliseconds == nil
            && enabled == nil
            && responses == nil
            && resource == nil
            && cors == nil
    }

    /// Reads the members of an object; others are reported.
    package mutating func readMembers(of object: JSONObject, _ reader: inout ModelReader) {
        for member in object.members where member.key != "$schema" {
            guard let index = reader.index(of: member, class: .stubMapping, in: DialectNames.mapping), !member.value.isNull else { continue }
            reader.within(member.key) { readMember(index, member.value, &$0) }
        }
    }

    /// Reads the member of this index among `names`.
    package mutating func readMember(_ index: Int, _ value: JSONValue, _ reader: inout ModelReader) {
        switch index {
        case 0: if let given = Self.readID(value, &reader) { id = given }
        case 1: if let given = Self.readID(value, &reader) { id = given }
        case 2: name = reader.string(value)
        case 3: request = RequestPattern.read(value, &reader)
        case 4: response = ResponseDefinition.read(value, &reader)
        case 5: persistent = reader.bool(value)
        case 6: priority = Self.readPriority(value, &reader)
        case 7: scenarioName = reader.string(value)
        case 8: requiredScenarioState = reader.string(value)
        case 9: newScenarioState = reader.string(value)
        case 10: metadata = reader.object(value, .metadata)
        case 11: postServeActions = Self.readActions(value, &reader)
        case 12: serveEventListeners = Self.readListeners(value, &reader)
        case 13: insertionIndex = reader.integer(value, .long)
        case 14: times = reader.wholeNumber(value, in: Self.timesRange, "a number of requests")
        case 16: ttlMilliseconds = Self.readTTL(value, &reader)
        case 17: enabled = reader.bool(value)
        case 18: change { $0.entries = ResponseSequence.readEntries(value, &reader, ResponseDefinition.read) }
        case 19: change { $0.onEnd = reader.choice(value, "an end", otherNames: DialectNames.endsAliases) }
        case 20: change { $0.select = reader.choice(value, "a way to select") }
        case 21: change { $0.per = SequenceKey.read(value, &reader) }
        case 22: resource = ResourceDefinition.read(value, &reader)
        case 23: cors = CORSPolicy.read(value, &reader)
        default: break
        }
    }

    /// Reads a member by its name; others are passed over.
    package mutating func readMember(_ member: JSONObject.Member, _ reader: inout ModelReader) {
        if let index = DialectNames.mapping.firstIndex(of: member.key), !member.value.isNull { readMember(index, member.value, &reader) }
    }

    /// The members that there are, in WireMock's order.
    package var members: JSONObject {
        var object = JSONObject()
        object["id"] = idText.json
        object["name"] = name?.json
        object["request"] = request.json
        object["response"] = response.json
        object["uuid"] = idText.json
        object["persistent"] = persistent?.json
        object["priority"] = priority?.json
        object["scenarioName"] = scenarioName?.json
        object["requiredScenarioState"] = requiredScenarioState?.json
        object["newScenarioState"] = newScenarioState?.json
        object["metadata"] = metadata?.json
        object["insertionIndex"] = insertionIndex?.json
        object["postServeActions"] = postServeActions
        object["serveEventListeners"] = serveEventListeners
        object["times"] = times?.json
        object["timesLeft"] = timesLeft?.json
        object["ttl"] = ttlMilliseconds.map(DurationText.json)
        object["enabled"] = enabled?.json
        object["responses"] = responses?.entriesJSON
        object["onEnd"] = responses?.onEnd?.json
        object["select"] = responses?.select?.json
        object["per"] = responses?.per?.text.json
        object["resource"] = resource?.json
        object["cors"] = cors?.json
        return object
    }
}
