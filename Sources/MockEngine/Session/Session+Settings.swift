public import JSON
public import StubModel
import Synchronization

extension Session {
    /// What holds for every stub.
    public var settings: GlobalSettings {
        get { state.withLock { $0.settings } }
        set { change { $0.settings = newValue } }
    }

    /// Adds to the users' own settings; a key that is there is replaced.
    public func mergeExtendedSettings(_ additions: JSONObject) {
        change { state in
            var extended = state.settings.extended ?? JSONObject()
            for member in additions.members { extended[member.key] = member.value }
            state.settings.extended = extended
        }
    }
}
