import SDCLibYAML
import SDJSON

/// A YAML event as a plain value.
struct YAMLEvent {
    enum Kind {
        case streamStart, streamEnd, documentStart, documentEnd
        case alias(String)
        case scalar(Scalar)
        case sequenceStart(Properties)
        case sequenceEnd
        case mappingStart(Properties)
        case mappingEnd
    }

    struct Properties {
        var anchor: String?
        var tag: String?
    }

    struct Scalar {
        var properties: Properties
        var text: String
        /// Whether the scalar is neither quoted nor a block scalar.
        var isPlain: Bool
        /// Whether the scalar is a block scalar.
        var isBlock: Bool
    }

    var kind: Kind
    var start: Mark
    var end: Mark
}

/// A position as libyaml counts: from 0, in characters.
struct Mark {
    var line: Int
    var column: Int
}

/// libyaml's parser over bytes in memory. The only file of this module that calls C; it returns plain values.
final class YAMLEventReader {
    private let bytes: [UInt8]
    /// A copy of `bytes` at a fixed address, owned by this object: libyaml reads from it between calls.
    private let input: UnsafeMutableBufferPointer<UInt8>
    /// libyaml's state, owned by this object.
    private let parser: UnsafeMutablePointer<yaml_parser_t>
    private let isReady: Bool
    /// Shares the storage of equal texts in a large document.
    private var texts: SharedTexts?
    /// The position of the last quoted scalar. Its quotes may cause an error right after it.
    private var lastQuoted: (start: Mark, end: Mark)?

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        texts = SharedTexts(forTextOf: bytes.count)
        input = .allocate(capacity: max(1, bytes.count))
        _ = input.initialize(from: bytes)
        parser = .allocate(capacity: 1)
        parser.initialize(to: yaml_parser_t())
        isReady = yaml_parser_initialize(parser) == 1
        if isReady {
            yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
            yaml_parser_set_input_string(parser, input.baseAddress, bytes.count)
        }
    }

    deinit {
        if isReady { yaml_parser_delete(parser) }
        parser.deallocate()
        input.deallocate()
    }

    /// Reads the next event. Must not be called after `.streamEnd` or an error.
    /// - Throws: libyaml's error in plain words.
    func next() throws(YAMLError) -> YAMLEvent {
        var event = yaml_event_t()
        guard isReady, yaml_parser_parse(parser, &event) == 1 else { throw failure() }
        defer { yaml_event_delete(&event) }
        lastQuoted = nil
        if event.type == YAML_SCALAR_EVENT,
            [YAML_SINGLE_QUOTED_SCALAR_STYLE, YAML_DOUBLE_QUOTED_SCALAR_STYLE].contains(event.data.scalar.style)
        {
            lastQuoted = (Mark(event.start_mark), Mark(event.end_mark))
        }
        return YAMLEvent(kind: kind(of: event), start: Mark(event.start_mark), end: Mark(event.end_mark))
    }

    func position(_ mark: Mark) -> TextPosition {
        LineIndex(bytes).position(line: mark.line + 1, column: mark.column + 1)
    }

    private func kind(of event: yaml_event_t) -> YAMLEvent.Kind {
        switch event.type {
        case YAML_STREAM_START_EVENT: return .streamStart
        case YAML_DOCUMENT_START_EVENT: return .documentStart
        case YAML_DOCUMENT_END_EVENT: return .documentEnd
        case YAML_ALIAS_EVENT: return .alias(text(event.data.alias.anchor) ?? "")
        case YAML_SCALAR_EVENT:
            let scalar = event.data.scalar
            let content = UnsafeBufferPointer(start: scalar.value, count: scalar.value == nil ? 0 : scalar.length)
            return .scalar(
                YAMLEvent.Scalar(
                    properties: YAMLEvent.Properties(anchor: text(scalar.anchor), tag: text(scalar.tag)),
                    text: shared(String(decoding: content, as: UTF8.self)),
                    isPlain: scalar.style == YAML_PLAIN_SCALAR_STYLE,
                    isBlock: [YAML_LITERAL_SCALAR_STYLE, YAML_FOLDED_SCALAR_STYLE].contains(scalar.style)))
        case YAML_SEQUENCE_START_EVENT:
            let sequence = event.data.sequence_start
            return .sequenceStart(YAMLEvent.Properties(anchor: text(sequence.anchor), tag: text(sequence.tag)))
        case YAML_SEQUENCE_END_EVENT: return .sequenceEnd
        case YAML_MAPPING_START_EVENT:
            let mapping = event.data.mapping_start
            return .mappingStart(YAMLEvent.Properties(anchor: text(mapping.anchor), tag: text(mapping.tag)))
        case YAML_MAPPING_END_EVENT: return .mappingEnd
        default: return .streamEnd
        }
    }

    private func shared(_ text: String) -> String { texts?.shared(text) ?? text }

    private func text(_ pointer: UnsafeMutablePointer<yaml_char_t>?) -> String? {
        pointer.map { String(cString: $0) }
    }

    /// Whether a `{` is directly before this position.
    func hasBrace(before mark: Mark) -> Bool {
        let offset = position(mark).offset
        return offset > 0 && offset <= bytes.count && bytes[offset - 1] == UInt8(ascii: "{")
    }

    /// The text from a position to the end of its line.
    func line(from mark: Mark) -> String {
        let (feed, carriageReturn) = (UInt8(ascii: "\n"), UInt8(ascii: "\r"))
        let rest = bytes.dropFirst(position(mark).offset).prefix { $0 != feed && $0 != carriageReturn }
        return String(decoding: rest, as: UTF8.self)
    }

    /// The offset of the first byte of the character that would continue at `offset`.
    private func lead(ofCharacterBefore offset: Int) -> Int {
        bytes[..<offset].lastIndex { $0 & 0xC0 != 0x80 } ?? offset
    }

    private func failure() -> YAMLError {
        guard isReady else {
            return YAMLError(position: TextPosition(line: 1, column: 1, offset: 0), message: "out of memory")
        }
        let state = parser.pointee
        let problem = state.problem.map { String(cString: $0) } ?? "out of memory"
        if state.error == YAML_READER_ERROR {
            var offset = min(Int(clamping: state.problem_offset), bytes.count)
            // libyaml names the first byte that does not continue the character, not the one that begins it.
            if problem == "invalid trailing UTF-8 octet" { offset = lead(ofCharacterBefore: offset) }
            return YAMLFailure.unreadable(problem, at: TextPosition(offset: offset, in: bytes), in: bytes)
        }
        let lines = LineIndex(bytes)
        func position(_ mark: Mark) -> TextPosition { lines.position(line: mark.line + 1, column: mark.column + 1) }
        let context = state.context.map { String(cString: $0) }
        return YAMLFailure(
            problem: problem, context: context, place: position(Mark(state.problem_mark)),
            start: context == nil ? nil : position(Mark(state.context_mark)),
            quoted: lastQuoted.map { (position($0.start), position($0.end)) }, bytes: bytes
        ).error
    }
}

extension Mark {
    fileprivate init(_ mark: yaml_mark_t) {
        self.init(line: Int(mark.line), column: Int(mark.column))
    }
}
