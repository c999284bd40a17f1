#ifndef CURL_LIBRARY_H
#define CURL_LIBRARY_H

/* The functions of libcurl. The table is complete once `cu_unavailable` has returned NULL. */

#include "ccurl.h"
#include "loaded_library.h"

#if !__has_include(<curl/curl.h>)
#error "the headers of libcurl are missing: `make deps`, or install libcurl4-openssl-dev (Debian and Ubuntu), curl (Homebrew)"
#endif

/* Its macros check the types of options by expressions that a table of functions cannot use. */
#define CURL_DISABLE_TYPECHECK 1
#include <curl/curl.h>
#undef curl_easy_setopt
#undef curl_easy_getinfo
#undef curl_multi_setopt
#undef curl_share_setopt

#define CURL_FUNCTIONS(X) \
    X(curl_global_init) \
    X(curl_easy_init) \
    X(curl_easy_cleanup) \
    X(curl_easy_setopt) \
    X(curl_easy_getinfo) \
    X(curl_easy_pause) \
    X(curl_easy_strerror) \
    X(curl_multi_init) \
    X(curl_multi_cleanup) \
    X(curl_multi_setopt) \
    X(curl_multi_add_handle) \
    X(curl_multi_remove_handle) \
    X(curl_multi_socket_action) \
    X(curl_multi_info_read) \
    X(curl_slist_append) \
    X(curl_version)

typedef LOADED_TABLE(CURL_FUNCTIONS) cu_curl_functions;

extern cu_curl_functions cu_curl;

#endif
