import Bytes
private import CPCRE2
private import Synchronization

#if canImport(Glibc)
    private import Glibc
#elseif canImport(Musl)
    private import Musl
#else
    private import Darwin
#endif

/// A regular expression of `java.util.regex`. Without options it behaves as in WireMock: `.` matches line ends too, and
/// the expression must match the whole subject.
///
/// It is compiled at once, so that errors are found early, and translated to machine code at its first match, so that a
/// thousand stubs cost no start-up time. Any number of threads may match at once. A match that takes too long is
/// abandoned: no expression occupies a loop for more than some tens of milliseconds.
public final class JavaRegex: Sendable {
    /// The result of a match.
    public enum Outcome: Sendable, Hashable {
        case match
        case noMatch
        /// Abandoned, because backtracking exceeded the limit. Counts as no match.
        case limitReached
    }

    /// Deviations from the way WireMock's matchers read and apply expressions.
    public struct Options: OptionSet, Sendable, Hashable {
        public let rawValue: UInt8

        public init(rawValue: UInt8) {
            self.rawValue = rawValue
        }

        /// The expression may match any part of the subject, like Java's `find`.
        public static let anywhere = Options(rawValue: 1 << 0)
        /// `.` stops at line ends, like Java without `DOTALL`.
        public static let dotStopsAtLineEnds = Options(rawValue: 1 << 1)
        /// Letters match in either case.
        public static let ignoringCase = Options(rawValue: 1 << 2)
    }

    /// The expression as written.
    public let pattern: String
    /// The UTF-8 bytes with which every matching subject begins; empty if none are certain.
    public let literalPrefix: [UInt8]

    private let program: Program

    /// Compiles an expression.
    /// - Throws: where Java would, and for the few features of Java that are not supported; the reason says which.
    public init(_ pattern: String, _ options: Options = []) throws(RegexProblem) {
        var scanner = RegexScanner(pattern)
        let tokens = try scanner.scan()
        self.pattern = pattern
        literalPrefix = options.isDisjoint(with: [.anywhere, .ignoringCase]) ? tokens.literalPrefix : []
        program = try Program(RegexTranslation(tokens), of: scanner, options)
    }

    /// Matches a UTF-8 subject: the whole of it, or with `.anywhere` any part. Invalid UTF-8 counts as U+FFFD, as in a
    /// Java string read from bytes.
    public func match(_ subject: ArraySlice<UInt8>) -> Outcome {
        program.match(subject, .current)
    }

    public func matches(_ subject: ArraySlice<UInt8>) -> Bool {
        match(subject) == .match
    }
}

/// The tokens as PCRE2 spells them, with a map back to their positions.
private struct RegexTranslation {
    private(set) var text: [UInt8] = []
    private var origins: [(start: Int, offset: Int)] = []

    init(_ tokens: [RegexToken]) {
        text.reserveCapacity(tokens.count * 4)
        origins.reserveCapacity(tokens.count)
        for token in tokens {
            origins.append((text.count, token.offset))
            switch token.kind {
            case .literal(let scalar) where scalar.isASCIIAlphanumeric:
                text.append(UInt8(truncatingIfNeeded: scalar.value))
            case .literal("/"): text.append(contentsOf: "\\x{2f}".utf8)
            case .literal(let scalar): text.append(contentsOf: scalar.escapedForPCRE2.utf8)
            case .atom(let part), .assertion(let part), .open(let part), .flags(let part, _), .quantifier(let part, _):
                text.append(contentsOf: part.utf8)
            case .close: text.append(UInt8(ascii: ")"))
            case .alternation: text.append(UInt8(ascii: "|"))
            }
        }
    }

    /// The position in the Java pattern that corresponds to a position in `text`.
    func origin(of position: Int) -> Int {
        origins.last { $0.start <= position }?.offset ?? 0
    }
}

/// Owns the compiled code.
///
/// `@unchecked Sendable`: `interpreted` is never written after `init`; `compiled` is an atomic that changes once, from
/// nil to code that is never written again. PCRE2 reads code without changing it, and everything that a match writes
/// belongs to its thread (`MatchSpace`).
private final class Program: @unchecked Sendable {
    /// Sets Java's line ends for `^` and `$`. Nil (out of memory) leaves PCRE2's own. Shared by all threads, because
    /// PCRE2 only reads it.
    private nonisolated(unsafe) static let context: OpaquePointer? = {
        let context = pcre2_compile_context_create_8(nil)
        if context != nil { _ = pcre2_set_newline_8(context, UInt32(PCRE2_NEWLINE_ANY)) }
        return context
    }()

    private let interpreted: OpaquePointer
    private let compiled = Atomic<OpaquePointer?>(nil)

    init(
        _ translation: RegexTranslation, of scanner: RegexScanner, _ chosen: JavaRegex.Options
    ) throws(RegexProblem) {
        var options = PCRE2_UTF | PCRE2_NEVER_BACKSLASH_C
        if !chosen.contains(.anywhere) { options |= PCRE2_ANCHORED | PCRE2_ENDANCHORED }
        if !chosen.contains(.dotStopsAtLineEnds) { options |= PCRE2_DOTALL }
        if chosen.contains(.ignoringCase) { options |= PCRE2_CASELESS }
        if scanner.usesUnicodeClasses { options |= PCRE2_UCP }
        var code: Int32 = 0
        var position = 0
        let result = withBase(of: translation.text[...]) {
            pcre2_compile_8($0, translation.text.count, options, &code, &position, Self.context)
        }
        guard let result else {
            let origin = translation.origin(of: position)
            let java = code == PCRE2_ERROR_UNKNOWN_UNICODE_PROPERTY ? scanner.unknownProperty(at: origin) : nil
            throw scanner.problem(Self.message(code), at: origin, java: java)
        }
        interpreted = result
    }

    deinit {
        pcre2_code_free_8(compiled.load(ordering: .acquiring))
        pcre2_code_free_8(interpreted)
    }

    private static func message(_ code: Int32) -> String {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 256) { buffer in
            let length = pcre2_get_error_message_8(code, buffer.baseAddress, buffer.count)
            return length < 0 ? "PCRE2 error \(code)" : String(decoding: buffer[..<Int(length)], as: UTF8.self)
        }
    }

    func match(_ subject: ArraySlice<UInt8>, _ space: MatchSpace) -> JavaRegex.Outcome {
        // Only a subject beyond ASCII needs PCRE2's check for UTF-8.
        let options = subject.isASCII ? PCRE2_NO_UTF_CHECK : 0
        var result = run(machineCode(), subject, options, space)
        if result <= PCRE2_ERROR_UTF8_ERR1, result >= PCRE2_ERROR_UTF8_ERR21 {
            let repaired = Array(String(decoding: subject, as: UTF8.self).utf8)
            result = run(machineCode(), repaired[...], PCRE2_NO_UTF_CHECK, space)
        }
        if result == PCRE2_ERROR_JIT_STACKLIMIT {
            // The interpreter keeps its frames on the heap, within the limit set by `MatchSpace`.
            result = run(interpreted, subject, options & PCRE2_NO_UTF_CHECK | PCRE2_NO_JIT, space)
            space.releaseFrames()
        }
        if result >= 0 { return .match }
        return result == PCRE2_ERROR_NOMATCH ? .noMatch : .limitReached
    }

    private func run(
        _ code: OpaquePointer, _ subject: ArraySlice<UInt8>, _ options: UInt32, _ space: MatchSpace
    ) -> Int32 {
        withBase(of: subject) {
            pcre2_match_8(code, $0, subject.count, 0, options, space.data, space.context)
        }
    }

    /// The code with machine code attached, made at the first match. It is a copy, because other threads may be using
    /// the original. If two threads make it at once, one copy wins and the other is freed.
    private func machineCode() -> OpaquePointer {
        if let ready = compiled.load(ordering: .acquiring) { return ready }
        guard let copy = pcre2_code_copy_8(interpreted) else { return interpreted }
        // If no machine code can be made (no executable memory), the copy is interpreted like the original.
        _ = pcre2_jit_compile_8(copy, UInt32(PCRE2_JIT_COMPLETE))
        let (exchanged, original) = compiled.compareExchange(
            expected: nil, desired: copy, ordering: .acquiringAndReleasing)
        if exchanged { return copy }
        pcre2_code_free_8(copy)
        return original ?? interpreted
    }
}

/// The memory in which one thread matches: result block, limits and stack. Made once for each thread, freed when it
/// ends.
private final class MatchSpace {
    /// The limit of backtracking steps: about ten milliseconds of machine code.
    private static let matchLimit: UInt32 = 5_000_000
    /// The limit of the interpreter's heap, in KiB.
    private static let heapLimit: UInt32 = 16_384
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
        _ = pcre2_set_match_limit_8(context, Self.matchLimit)
        _ = pcre2_set_heap_limit_8(context, Self.heapLimit)
        pcre2_jit_stack_assign_8(context, nil, stack.map { UnsafeMutableRawPointer($0) })
    }

    deinit {
        pcre2_match_data_free_8(data)
        pcre2_match_context_free_8(context)
        pcre2_jit_stack_free_8(stack)
    }

    /// Frees the interpreter's frames, which PCRE2 would keep with the result block.
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

/// Lends the address of the first byte. It is never null, even without bytes, because PCRE2 before 10.40 refuses null.
private func withBase<Result>(of bytes: ArraySlice<UInt8>, _ body: (UnsafePointer<UInt8>) -> Result) -> Result {
    bytes.withUnsafeBufferPointer {
        if let base = $0.baseAddress { return body(base) }
        return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 1) { placeholder in
            placeholder.initialize(repeating: 0)
            guard let base = placeholder.baseAddress else { preconditionFailure("an allocation has an address") }
            return body(UnsafePointer(base))
        }
    }
}
