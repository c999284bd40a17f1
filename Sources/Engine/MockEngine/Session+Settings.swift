public import SDJSON
import SDJournal
import SDPlatform
public import SDStubModel
import Synchronization

extension Session {
    /// The settings for all stubs.
    public var settings: GlobalSettings {
        get {
            bringUpToDate()
            return state.withLock { $0.settings }
        }
        set {
            var settings = newValue
            settings.clock?.start(at: UInt64(max(0, SystemCalls.wallClockMilliseconds())) * 1_000_000)
            change { state in
                state.settings = settings
                state.hasOwnSettings = true
            }
            activity.note(.setting)
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
        activity.note(.setting)
    }
}
