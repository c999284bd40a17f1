/* Failures of calls as sentences. */
#include "cr_call.h"

#include <stdio.h>

/* The sentence of each code: `@` is the server, `#` "in the middle of its answer", `?` the details, `~` and `&` what
 * timed out, `=` the time-out. */
static const char *const sentences[] = {
    [CR_CALL_DONE] = "@ was called",
    [CR_CALL_NO_ADDRESS] = "the host name of @ is unknown",
    [CR_CALL_DENIED] = "@ is not among the servers that may be called (--allow-proxy-targets, --deny-proxy-targets)",
    [CR_CALL_REFUSED] = "@ refused the connection",
    [CR_CALL_UNREACHABLE] = "@ cannot be reached: ?",
    [CR_CALL_CONNECT_TIMED_OUT] = "@ &",
    [CR_CALL_DISTRUSTED] = "@: ?",
    [CR_CALL_INSECURE] = "@: ?",
    [CR_CALL_NEEDS_HTTP2] = "@ speaks HTTP/2 alone: --proxy-http2 names the servers that are spoken to in it",
    [CR_CALL_NO_HTTP2] = "@ does not speak HTTP/2, in which it was called, but HTTP/1",
    [CR_CALL_BAD_HTTP2] = "@ sent what is no HTTP/2#: ?",
    [CR_CALL_BROKEN_STREAM] = "@ broke off the stream#: ?",
    [CR_CALL_UNAVAILABLE] = "@ cannot be called: ?",
    [CR_CALL_PROXY_FAILED] = "@: ?",
    [CR_CALL_NO_CONNECTION] =
        "no connection was free for the call to @ for = ms, as others hold all of --max-http-client-connections",
    [CR_CALL_TIMED_OUT] = "@ ~",
    [CR_CALL_NO_ANSWER] = "@ closed the connection without an answer",
    [CR_CALL_RESET] = "@ reset the connection#: ?",
    [CR_CALL_NO_HTTP] = "@ sent what is no HTTP: ?",
    [CR_CALL_BAD_HEAD] = "@ sent what is no HTTP: ?",
    [CR_CALL_BAD_CHUNKS] = "@ sent a body whose chunks are wrong: ?",
    [CR_CALL_CUT_HEAD] = "@ closed the connection before the end of its head",
    [CR_CALL_CUT_BODY] = "@ closed the connection before the end of its answer: ?",
    [CR_CALL_TOO_LARGE] = "@ sent more header fields than 1 MiB, or 5000, in its answer",
    [CR_CALL_UNEXPECTED_SWITCH] = "@ switched to another protocol, which nobody had asked for",
    [CR_CALL_BROKEN_UPLOAD] = "the client left before the end of the body for @",
    [CR_CALL_NO_MEMORY] = "out of memory for the call to @",
    [CR_CALL_STOPPED] = "the call to @ was given up, since its loop has ended",
};

void cr_call_describe(const cr_call_end *end, const char *place, uint32_t milliseconds, char text[CR_CALL_TEXT_ROOM]) {
    char late[80], timeout[16], other[2] = "";
    const char *what = end->answered ? "sent nothing more of its answer for" : "did not answer within";
    snprintf(late, sizeof late, "%s %u ms", what, (unsigned)milliseconds);
    /* A silent server may not understand HTTP/2. */
    bool is_silent = end->lacks_settings &&
        (end->code == CR_CALL_NO_ANSWER || end->code == CR_CALL_RESET || end->code == CR_CALL_BAD_HTTP2);
    char here[300];
    snprintf(here, sizeof here, "%s%s", place, is_silent ? ", which was called in HTTP/2," : "");
    snprintf(timeout, sizeof timeout, "%u", (unsigned)milliseconds);
    size_t at = 0;
    text[0] = 0;
    for (const char *c = sentences[end->code]; *c && at < CR_CALL_TEXT_ROOM; c++) {
        const char *part = other;
        other[0] = *c;
        if (*c == '@') part = here;
        if (*c == '#') part = end->answered ? " in the middle of its answer" : "";
        if (*c == '?') part = end->text;
        if (*c == '~') part = late;
        if (*c == '=') part = timeout;
        if (*c == '&') part = end->text[0] ? end->text : "did not accept a connection in time";
        at += (size_t)snprintf(text + at, CR_CALL_TEXT_ROOM - at, "%s", part);
    }
}
