#if !__has_include(<zlib.h>)
#error "zlib is missing: apt-get install zlib1g-dev, or brew install zlib and swift package purge-cache"
#endif
#include <zlib.h>
