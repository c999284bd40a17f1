private import SDCPCRE2
internal import SDPlatform
private import Synchronization

/// An expression compiled by PCRE2, now or at the first match.
///
/// `@unchecked Sendable`: `interpreted` and `source` are never written after `init`; `compiled` is an atomic that
/// changes once, from nil to code that is never written again. PCRE2 reads code without changing it, and everything
/// that a match writes belongs to its thread (`MatchSpace`).
final class RegexProgram: @unchecked Sendable {
    /// The interpreted code; nil for an expression that is compiled at the first match.
    private let interpreted: OpaquePointer?
    /// The expression that is compiled at the first match.
    private let source: (pattern: String, options: JavaRegex.Options)?
    private let compiled = Atomic<OpaquePointer?>(nil)

    /// Sets Java's line ends for `^` and `$`. Nil (out of memory) leaves PCRE2's default. Shared by all threads,
    /// because PCRE2 only reads it.
    private nonisolated(unsafe) static let context: OpaquePointer? = {
        let context = pcre2_compile_context_create_8(nil)
        if context != nil { _ = pcre2_set_newline_8(context, UInt32(PCRE2_NEWLINE_ANY)) }
        return context
    }()

    /// Compiles an expression.
    /// - Throws: where PCRE2 finds an error.
    init(
        _ translation: RegexTranslation, of scanner: RegexScanner, _ options: JavaRegex.Options
    ) throws(RegexProblem) {
        source = nil
        do throws(CompileError) {
            interpreted = try Self.code(translation.text[...], options, isUnicode: scanner.usesUnicodeClasses)
        } catch {
            let origin = translation.origin(of: error.position)
            let java =
                error.code == PCRE2_ERROR_UNKNOWN_UNICODE_PROPERTY ? scanner.unknownProperty(at: origin) : nil
            throw scanner.problem(Self.message(error.code), at: origin, java: java)
        }
    }

    /// Makes the program of an expression that is certain to compile, at the first match, and has the same meaning for
    /// PCRE2 as for Java (`RegexSummary`).
    init(of pattern: String, _ options: JavaRegex.Options) {
        source = (pattern, options)
        interpreted = nil
    }

    private struct CompileError: Error {
        let code: Int32
        let position: Int
    }

    /// - Parameter text: the expression in PCRE2's spelling.
    private static func code(
        _ text: ArraySlice<UInt8>, _ chosen: JavaRegex.Options, isUnicode: Bool
    ) throws(CompileError) -> OpaquePointer {
        var options = PCRE2_UTF | PCRE2_NEVER_BACKSLASH_C
        if !chosen.contains(.anywhere) { options |= PCRE2_ANCHORED | PCRE2_ENDANCHORED }
        if !chosen.contains(.dotStopsAtLineEnds) { options |= PCRE2_DOTALL }
        if chosen.contains(.ignoringCase) { options |= PCRE2_CASELESS }
        if isUnicode { options |= PCRE2_UCP }
        var code: Int32 = 0
        var position = 0
        let result = withBase(of: text) { pcre2_compile_8($0, text.count, options, &code, &position, context) }
        guard let result else { throw CompileError(code: code, position: position) }
        return result
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

    /// The limit that ends a run that takes too long.
    enum Limit {
        /// The number of times that it may backtrack.
        case steps(Int)
        case callouts(RegexGuard)
    }

    enum Result {
        case match, noMatch
        /// The limit was reached.
        case exceeded
        /// The memory for backtracking is exhausted.
        case tooDeep
        /// The subject is not valid UTF-8.
        case brokenText
    }

    /// Matches a subject.
    /// - Parameter isValid: whether the subject is known to be valid UTF-8.
    func run(_ subject: ArraySlice<UInt8>, isValid: Bool, _ limit: Limit, _ space: MatchSpace) -> Result {
        let options = isValid ? PCRE2_NO_UTF_CHECK : 0
        // Without memory to compile, matching fails too.
        guard let code = machineCode() else { return .tooDeep }
        switch limit {
        case .steps(let steps):
            space.limit(steps: UInt32(clamping: steps))
            return Self.result(run(code, subject, options, space))
        case .callouts(let callouts):
            space.limit(steps: .max)
            return space.calling(callouts) {
                let result = run(code, subject, options, space)
                guard result == PCRE2_ERROR_JIT_STACKLIMIT else { return Self.result(result) }
                // The interpreter keeps its frames on the heap, within the limit set by `MatchSpace`.
                defer { space.releaseFrames() }
                return Self.result(run(interpreted ?? code, subject, options | PCRE2_NO_JIT, space))
            }
        }
    }

    /// Finds the first match at or after an offset, with the ranges of its groups.
    func find(
        _ subject: ArraySlice<UInt8>, from start: Int, _ callouts: RegexGuard, _ space: MatchSpace
    ) -> (Result, [Range<Int>?]) {
        space.limit(steps: .max)
        guard let program = interpreted ?? machineCode(),
            let data = pcre2_match_data_create_from_pattern_8(program, nil)
        else { return (.tooDeep, []) }
        defer { pcre2_match_data_free_8(data) }
        let code = space.calling(callouts) {
            withBase(of: subject) {
                pcre2_match_8(program, $0, subject.count, start, PCRE2_NO_JIT, data, space.context)
            }
        }
        guard code > 0, let places = pcre2_get_ovector_pointer_8(data) else { return (Self.result(code), []) }
        let groups = (0..<Int(pcre2_get_ovector_count_8(data))).map { group -> Range<Int>? in
            let (from, to) = (places[2 * group], places[2 * group + 1])
            // An unset offset is the maximum, and \K can move a start behind its end.
            return from < 0 || to < from ? nil : from..<to
        }
        return (.match, groups)
    }

    private static func result(_ code: Int32) -> Result {
        if code >= 0 { return .match }
        switch code {
        case PCRE2_ERROR_NOMATCH: return .noMatch
        case PCRE2_ERROR_JIT_STACKLIMIT, PCRE2_ERROR_HEAPLIMIT, PCRE2_ERROR_NOMEMORY: return .tooDeep
        case PCRE2_ERROR_UTF8_ERR21...PCRE2_ERROR_UTF8_ERR1: return .brokenText
        default: return .exceeded
        }
    }

    private func run(
        _ code: OpaquePointer, _ subject: ArraySlice<UInt8>, _ options: UInt32, _ space: MatchSpace
    ) -> Int32 {
        withBase(of: subject) {
            pcre2_match_8(code, $0, subject.count, 0, options, space.data, space.context)
        }
    }

    /// The code with machine code attached, made at the first match from a copy, because other threads may use the
    /// original. If two threads make it at once, one result is freed. Nil if memory is short.
    private func machineCode() -> OpaquePointer? {
        if let ready = compiled.load(ordering: .acquiring) { return ready }
        guard let own = interpreted.map({ pcre2_code_copy_8($0) }) ?? compileSource() else { return interpreted }
        // Without executable memory, the code is interpreted.
        _ = pcre2_jit_compile_8(own, UInt32(PCRE2_JIT_COMPLETE))
        let (exchanged, original) = compiled.compareExchange(
            expected: nil, desired: own, ordering: .acquiringAndReleasing)
        if exchanged { return own }
        pcre2_code_free_8(own)
        return original ?? interpreted
    }

    private func compileSource() -> OpaquePointer? {
        guard let source else { return nil }
        return try? Self.code(Array(source.pattern.utf8)[...], source.options, isUnicode: false)
    }
}

/// Passes the address of the first byte. It is never null, even without bytes, because PCRE2 before 10.40 rejects null.
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
