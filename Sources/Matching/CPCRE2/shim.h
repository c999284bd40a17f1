#if !__has_include(<pcre2.h>)
#error "PCRE2 is missing: apt-get install libpcre2-dev, or brew install pcre2 and swift package purge-cache"
#endif
#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
