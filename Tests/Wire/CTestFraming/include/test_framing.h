/* A framing that is nothing like HTTP/1.1: frames of a kind, a length and bytes. It shows that a script says HTTP, and
 * that the text of HTTP/1.1 which a script carries is one rendering of it.
 *
 * A frame is a letter, the number of its bytes (four, the highest first) and those:
 *
 *   H  a head: the digits of the status
 *   N  the name of a field or a trailer, V its value
 *   D  a piece of the body
 *   R  raw bytes
 *   E  the end, empty */
#ifndef TEST_FRAMING_H
#define TEST_FRAMING_H

#include "cr_script.h"

const cr_framing *test_framing(void);

#endif
