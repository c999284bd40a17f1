#include "curl_library.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

cu_curl_functions cu_curl;

static const char *const files[] = {
#ifdef __APPLE__
    "/opt/homebrew/opt/curl/lib/libcurl.4.dylib", "/usr/local/opt/curl/lib/libcurl.4.dylib", "/usr/lib/libcurl.4.dylib",
#else
    "libcurl.so.4", "libcurl-gnutls.so.4",
#endif
    NULL,
};

static const char *prepare(void)
{
    return cu_curl.curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK ? NULL : "it cannot be initialized";
}

/* With those of the libraries that it stands on. */
static const char *version(void)
{
    return cu_curl.curl_version();
}

static struct loaded_library library = {
    LOADED_FUNCTIONS(CURL_FUNCTIONS, cu_curl),
    .files = files,
    .missing = "calls in HTTP/2 and through --proxy-via need libcurl: install its library (Debian and Ubuntu: libcurl4 or libcurl4t64; Homebrew: curl)",
    .prepare = prepare,
    .version = version,
};

const char *cu_unavailable(void)
{
    return loaded_library_open(&library);
}

bool cu_speaks_openssl(void)
{
    return strstr(cu_curl.curl_version(), " OpenSSL/3.") != NULL;
}

static const char *find_certificates(void)
{
    static const char *const places[] = {
        "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/ca-bundle.pem",
        "/etc/ssl/cert.pem", "/opt/homebrew/etc/ca-certificates/cert.pem", "/usr/local/etc/ca-certificates/cert.pem",
        NULL,
    };
    const char *named = getenv("SSL_CERT_FILE");
    if (named != NULL && access(named, R_OK) == 0)
        return named;
    for (const char *const *place = places; *place != NULL; place++)
        if (access(*place, R_OK) == 0)
            return *place;
    return NULL;
}

const char *cu_trusted_certificates(void)
{
    static _Atomic(const char *) found;
    const char *file = atomic_load(&found);
    if (file == NULL) {
        file = find_certificates();
        atomic_store(&found, file == NULL ? "" : file);
    }
    return file != NULL && file[0] != 0 ? file : NULL;
}
