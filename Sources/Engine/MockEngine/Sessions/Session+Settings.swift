public import JSON
public import StubModel
import Synchronization

extension Session {
    /// The settings for all stubs.
    public var settings: GlobalSettings {
        get {
            bringUpToDate()
            return state.withLock { $0.settings }
        }
        set {
            change { state in
                state.settings = newValue
                state.hasOwnSettings = true
            }
        }
    }

    /// Adds to the user's own settings; existing keys are replaced.
    public func mergeExtendedSettings(_ additions: JSONObject) {
        change { state in
            var extended = state.settings.extended ?? JSONObject()
            for member in additions.members { extended[member.key] = member.value }
            state.settings.extended = extended
            state.hasOwnSettings = true
        }
    }
}
