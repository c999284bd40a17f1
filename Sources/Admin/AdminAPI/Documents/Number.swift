import SDJSON

/// A number in a document; the largest integer for one above it.
func number(_ value: UInt64) -> JSONValue { .number(JSONNumber(Int(clamping: value))) }
func number(_ value: Int) -> JSONValue { .number(JSONNumber(value)) }
