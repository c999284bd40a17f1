/* HTTP/2 as the protocol of a connection. */
#include "conn.h"

const cr_protocol cr_http2_protocol = {0};

const char *cr_http2_unavailable(void) {
    return "HTTP/2 is not built yet";
}

bool cr_http2_is_available(void) {
    return cr_http2_unavailable() == NULL;
}
