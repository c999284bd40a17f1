import SDHTTPTransport
import SDMatching
import SDPlatform
import SDTemplating
import Synchronization

/// The WebSockets that a message stub sends to: the channels of its trigger, divided into rooms by name.
final class ChannelRoom: Sendable {
    /// The channels of all rooms; nil for every WebSocket.
    private let channels: CompiledChannelPattern?
    /// The template of the room's name.
    let name: Template?
    /// Whether the channel of the triggering message is excluded.
    private let areOthers: Bool

    init(_ channels: CompiledChannelPattern?, _ name: Template?, _ areOthers: Bool) {
        self.channels = channels
        self.name = name
        self.areOthers = areOthers
    }

    /// A channel's membership.
    enum Place: Sendable, Equatable {
        case outside
        case inside(String)
    }

    /// The members of a room, oldest first.
    /// - Parameters:
    ///   - name: the name of the room.
    ///   - render: renders the room's name for an opening request.
    func members(
        named name: String, besides origin: Channel?, in all: [Channel], _ budget: WorkBudget,
        _ render: (Request) throws(RenderError) -> String
    ) throws(RenderError) -> [Channel] {
        var members: [Channel] = []
        for channel in all {
            guard let request = channel.request, channel.isOpen else { continue }
            if areOthers, channel === origin { continue }
            if try place(of: channel, request, budget, render) == .inside(name) { members.append(channel) }
            if budget.isSpent { throw .outOfTime }
        }
        return members
    }

    /// A channel's membership, which is computed once.
    private func place(
        of channel: Channel, _ request: Request, _ budget: WorkBudget,
        _ render: (Request) throws(RenderError) -> String
    ) throws(RenderError) -> Place {
        if let known = channel.line.withLock({ $0.rooms.first { $0.room === self }?.place }) { return known }
        var views = RequestViews(request, budget: budget)
        let isMember = channels?.matches(request, &views) ?? true
        if budget.isSpent { throw .outOfTime }
        let place: Place = isMember ? .inside(try render(request)) : .outside
        channel.line.withLock { line in
            // Rooms of removed stubs are dropped.
            if line.rooms.count >= Self.maxKept { line.rooms.removeFirst() }
            line.rooms.append((self, place))
        }
        return place
    }

    private static let maxKept = 8
}
