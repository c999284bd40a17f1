#include "clibxml2.h"
typedef int cx_nothing;
