import SDJSON

/// A number in a document; larger ones become the largest integer.
func number(_ value: UInt64) -> JSONValue { .number(JSONNumber(Int(clamping: value))) }
func number(_ value: Int) -> JSONValue { .number(JSONNumber(value)) }
