#if !__has_include(<yaml.h>)
#error "libyaml is missing: apt-get install libyaml-dev, or brew install libyaml and swift package purge-cache"
#endif
#include <yaml.h>
