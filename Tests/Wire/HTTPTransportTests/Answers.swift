import SDHTTPTransport
import SDTestSupport

/// Short names for the scripts of these tests.
func script(_ steps: WireStep...) -> WireScript { WireScript(steps) }

func bytes(_ text: String) -> WireStep { .raw(WireBytes(wire(text))) }

func answer(_ body: String) -> WireStep { .raw(WireBytes(plainAnswer(wire(body)))) }

func milliseconds(_ count: UInt64) -> UInt64 { count * 1_000_000 }

/// The bytes of `answer(body)`.
func answered(_ body: String) -> [UInt8] { plainAnswer(wire(body)) }

func get(_ path: String, _ fields: String = "") -> String { "GET \(path) HTTP/1.1\r\nHost: a\r\n\(fields)\r\n" }
