#include "certificate_library.h"

#include <string.h>

/* The hash rounds that opening a key or a store takes. Files say that themselves, so a crafted one could ask for any
 * number. */

/* The object identifier of scrypt, 1.3.6.1.4.1.11591.4.11. */
static const uint8_t scrypt[] = {0x2b, 0x06, 0x01, 0x04, 0x01, 0xda, 0x47, 0x04, 0x0b};

/* One value in DER. */
struct value {
    uint8_t tag;
    const uint8_t *bytes;
    size_t count;
};

/* Reads the first of several values in DER and advances behind it. Returns false if there is none. */
static bool next_value(const uint8_t **bytes, size_t *length, struct value *value) {
    if (*length < 2) return false;
    size_t count = (*bytes)[1], head = 2;
    if (count > 0x80) {
        size_t width = count - 0x80;
        if (width > 4 || *length < 2 + width) return false;
        count = 0;
        for (; head < 2 + width; head++) count = count << 8 | (*bytes)[head];
    }
    if (count > *length - head) return false;
    *value = (struct value){(*bytes)[0], *bytes + head, count};
    *bytes += head + count;
    *length -= head + count;
    return true;
}

/* The value of an INTEGER; above CC_MAX_ROUNDS, or for a negative number, any value above the limit. */
static uint64_t number_of(const struct value *value) {
    uint64_t number = 0;
    for (size_t i = 0; i < value->count && number <= CC_MAX_ROUNDS; i++) number = number << 8 | value->bytes[i];
    return number;
}

/* The cost of scrypt: the product N*r*p of the three numbers after the salt. */
static uint64_t cost_of_scrypt(const uint8_t *bytes, size_t length) {
    uint64_t product = 1;
    struct value value;
    for (int numbers = 0; numbers < 3 && product <= CC_MAX_ROUNDS;) {
        /* OpenSSL rejects it, too. */
        if (!next_value(&bytes, &length, &value)) return 0;
        if (value.tag != V_ASN1_INTEGER) continue;
        product *= number_of(&value);
        numbers++;
    }
    return product;
}

/* The largest INTEGER in the DER parameters of a password hash; above any limit if they are malformed. */
static uint64_t largest_number(const uint8_t *bytes, size_t length, int depth) {
    uint64_t largest = depth < 8 ? 0 : UINT32_MAX;
    bool is_scrypt = false;
    while (length >= 2 && largest <= CC_MAX_ROUNDS) {
        struct value value;
        if (!next_value(&bytes, &length, &value)) return UINT32_MAX;
        uint64_t number = 0;
        if (value.tag == V_ASN1_INTEGER) number = number_of(&value);
        else if (value.tag == V_ASN1_OBJECT) {
            is_scrypt = value.count == sizeof scrypt && memcmp(value.bytes, scrypt, sizeof scrypt) == 0;
        } else if (value.tag & 0x20) {
            number = is_scrypt ? cost_of_scrypt(value.bytes, value.count)
                               : largest_number(value.bytes, value.count, depth + 1);
        }
        largest = number > largest ? number : largest;
    }
    return largest;
}

uint64_t cc_rounds_of(const X509_ALGOR *algorithm) {
    const ASN1_TYPE *parameter = algorithm == NULL ? NULL : algorithm->parameter;
    return parameter == NULL || parameter->type != V_ASN1_SEQUENCE
               ? 0
               : largest_number(parameter->value.sequence->data, (size_t)parameter->value.sequence->length, 0);
}

static uint64_t rounds_of_block(const uint8_t *bytes, long length) {
    X509_SIG *locked = cc_openssl.d2i_X509_SIG(NULL, &bytes, length);
    const X509_ALGOR *algorithm = NULL;
    const ASN1_OCTET_STRING *content;
    if (locked != NULL) cc_openssl.X509_SIG_get0(locked, &algorithm, &content);
    uint64_t rounds = cc_rounds_of(algorithm);
    cc_openssl.X509_SIG_free(locked);
    return rounds;
}

uint64_t cc_private_key_rounds(const char *pem, size_t length) {
    BIO *source = length > INT32_MAX ? NULL : cc_openssl.BIO_new_mem_buf(pem, (int)length);
    uint64_t rounds = 0;
    size_t before = 0, left = source == NULL ? 0 : length;
    /* All blocks, whatever their label, also behind malformed ones: OpenSSL looks for keys in the same way. */
    do {
        char *name = NULL, *header = NULL;
        unsigned char *bytes = NULL;
        long count = 0;
        before = left;
        if (left > 0 && cc_openssl.PEM_read_bio(source, &name, &header, &bytes, &count) == 1) {
            rounds += rounds_of_block(bytes, count);
        }
        cc_openssl.CRYPTO_free(name, "", 0);
        cc_openssl.CRYPTO_free(header, "", 0);
        cc_openssl.CRYPTO_free(bytes, "", 0);
        left = source == NULL ? 0 : cc_openssl.BIO_ctrl_pending(source);
    } while (left < before);
    cc_openssl.BIO_free(source);
    cc_openssl.ERR_clear_error();
    return rounds;
}
