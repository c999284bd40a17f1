#ifndef CLIBXML2_H
#define CLIBXML2_H
#endif
