internal import SDCPCRE2

#if canImport(Glibc)
    private import Glibc
#elseif canImport(Musl)
    private import Musl
#else
    private import Darwin
#endif

/// The memory with which one thread matches: result block, limits and stack. Created once per thread, freed when it
/// ends.
final class MatchSpace {
    /// The limit of the interpreter's heap, in KiB.
    static let heapLimit: UInt32 = 16_384
    /// The limit of the machine code's stack, in bytes.
    private static let largestStack = 512 * 1024

    private(set) var data: OpaquePointer?
    let context: OpaquePointer?
    private let stack: OpaquePointer?

    private init() {
        data = pcre2_match_data_create_8(1, nil)
        context = pcre2_match_context_create_8(nil)
        stack = pcre2_jit_stack_create_8(32 * 1024, Self.largestStack, nil)
        guard context != nil else { return }
        _ = pcre2_set_heap_limit_8(context, Self.heapLimit)
        pcre2_jit_stack_assign_8(context, nil, stack.map { UnsafeMutableRawPointer($0) })
    }

    deinit {
        pcre2_match_data_free_8(data)
        pcre2_match_context_free_8(context)
        pcre2_jit_stack_free_8(stack)
    }

    /// Sets the number of times that the next match may backtrack.
    func limit(steps: UInt32) {
        _ = pcre2_set_match_limit_8(context, steps)
    }

    /// Makes the callouts of matches within `body` call `callouts`.
    func calling<Result>(_ callouts: RegexGuard, _ body: () -> Result) -> Result {
        let data = Unmanaged.passUnretained(callouts).toOpaque()
        _ = pcre2_set_callout_8(context, answerCallout, data)
        defer { _ = pcre2_set_callout_8(context, nil, nil) }
        return withExtendedLifetime(callouts, body)
    }

    /// Frees the interpreter's frames, which PCRE2 would otherwise keep with the result block.
    func releaseFrames() {
        pcre2_match_data_free_8(data)
        data = pcre2_match_data_create_8(1, nil)
    }

    /// The space of the calling thread.
    static var current: MatchSpace {
        if let stored = pthread_getspecific(threadKey) {
            return Unmanaged<MatchSpace>.fromOpaque(stored).takeUnretainedValue()
        }
        let space = MatchSpace()
        pthread_setspecific(threadKey, Unmanaged.passRetained(space).toOpaque())
        return space
    }

    private static let threadKey: pthread_key_t = {
        var key = pthread_key_t()
        let status = pthread_key_create(&key, releaseMatchSpace)
        precondition(status == 0, "no thread-specific keys left")
        return key
    }()
}

/// Frees a thread's space when the thread ends.
#if canImport(Darwin)
    private func releaseMatchSpace(_ stored: UnsafeMutableRawPointer) {
        Unmanaged<MatchSpace>.fromOpaque(stored).release()
    }
#else
    private func releaseMatchSpace(_ stored: UnsafeMutableRawPointer?) {
        if let stored { Unmanaged<MatchSpace>.fromOpaque(stored).release() }
    }
#endif

/// Asks whether a match may continue. If not, it ends with `PCRE2_ERROR_CALLOUT`.
private func answerCallout(_ block: UnsafeMutablePointer<pcre2_callout_block_8>?, _ data: UnsafeMutableRawPointer?)
    -> Int32
{
    guard let data else { return 0 }
    return Unmanaged<RegexGuard>.fromOpaque(data).takeUnretainedValue().hasBudget() ? 0 : PCRE2_ERROR_CALLOUT
}
