/* Details of a client's certificate as texts. */
#include "tls.h"

#include <arpa/inet.h>
#include <string.h>
#include <time.h>

struct cr_client_cert {
    X509 *certificate;
    void *object;
    void (*release)(void *object);
};

cr_client_cert *cr_client_cert_new(X509 *certificate) {
    cr_client_cert *client = calloc(1, sizeof *client);
    if (client) client->certificate = certificate;
    return client;
}

void cr_client_cert_free(cr_client_cert *client) {
    if (client->object) client->release(client->object);
    free(client);
}

void *cr_client_cert_object(const cr_client_cert *client) {
    return client->object;
}

void cr_client_cert_attach(cr_client_cert *client, void *object, void (*release)(void *object)) {
    client->object = object;
    client->release = release;
}

/* ---- Texts ------------------------------------------------------------------------------------------------------ */

/* Appends a NUL-terminated text. */
static bool put(cr_buffer *block, const void *text, size_t length) {
    return cr_buffer_append(block, text, length) && cr_buffer_append(block, "", 1);
}

static bool put_memory(cr_buffer *block, BIO *memory) {
    char *text = NULL;
    long length = cr_crypto.BIO_ctrl(memory, BIO_CTRL_INFO, 0, &text);
    return put(block, text ? text : "", length > 0 ? (size_t)length : 0);
}

static bool put_name(cr_buffer *block, const X509_NAME *name) {
    BIO *memory = cr_crypto.BIO_new(cr_crypto.BIO_s_mem());
    /* Keeps non-ASCII letters as UTF-8. */
    unsigned long form = XN_FLAG_RFC2253 & ~(unsigned long)ASN1_STRFLGS_ESC_MSB;
    bool done = memory && cr_crypto.X509_NAME_print_ex(memory, name, 0, form) >= 0 && put_memory(block, memory);
    if (memory) cr_crypto.BIO_free(memory);
    return done;
}

static bool put_serial(cr_buffer *block, X509 *certificate) {
    BIGNUM *number = cr_crypto.ASN1_INTEGER_to_BN(cr_crypto.X509_get0_serialNumber(certificate), NULL);
    char *digits = number ? cr_crypto.BN_bn2hex(number) : NULL;
    bool done = digits && put(block, digits, strlen(digits));
    if (digits) cr_crypto.CRYPTO_free(digits, "", 0);
    if (number) cr_crypto.BN_free(number);
    return done;
}

static bool put_pem(cr_buffer *block, X509 *certificate) {
    BIO *memory = cr_crypto.BIO_new(cr_crypto.BIO_s_mem());
    bool done = memory && cr_crypto.PEM_write_bio_X509(memory, certificate) && put_memory(block, memory);
    if (memory) cr_crypto.BIO_free(memory);
    return done;
}

static bool put_address(cr_buffer *block, const unsigned char *bytes, size_t length) {
    char text[INET6_ADDRSTRLEN] = "";
    inet_ntop(length == 4 ? AF_INET : AF_INET6, bytes, text, sizeof text);
    return put(block, text, strlen(text));
}

/* Appends and counts an alternative name of a common kind. */
static bool put_alternative(cr_buffer *block, const GENERAL_NAME *name, size_t *count) {
    static const struct {
        int type;
        const char *kind;
    } kinds[] = {{GEN_DNS, "DNS:"}, {GEN_IPADD, "IP:"}, {GEN_EMAIL, "email:"}, {GEN_URI, "URI:"}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (kinds[i].type != name->type) continue;
        const unsigned char *bytes = cr_crypto.ASN1_STRING_get0_data(name->d.ia5);
        size_t length = (size_t)cr_crypto.ASN1_STRING_length(name->d.ia5);
        bool is_address = name->type == GEN_IPADD;
        if ((is_address && length != 4 && length != 16) || (!is_address && memchr(bytes, 0, length))) return true;
        ++*count;
        if (!cr_buffer_append(block, kinds[i].kind, strlen(kinds[i].kind))) return false;
        return is_address ? put_address(block, bytes, length) : put(block, bytes, length);
    }
    return true;
}

static bool put_alternatives(cr_buffer *block, const X509 *certificate, size_t *count) {
    GENERAL_NAMES *names = cr_crypto.X509_get_ext_d2i(certificate, NID_subject_alt_name, NULL, NULL);
    bool done = true;
    int total = names ? cr_crypto.OPENSSL_sk_num((const OPENSSL_STACK *)names) : 0;
    for (int i = 0; i < total && done; i++) {
        done = put_alternative(block, cr_crypto.OPENSSL_sk_value((const OPENSSL_STACK *)names, i), count);
    }
    if (names) cr_crypto.GENERAL_NAMES_free(names);
    return done;
}

static int64_t seconds(const ASN1_TIME *time) {
    struct tm parts;
    return cr_crypto.ASN1_TIME_to_tm(time, &parts) ? (int64_t)timegm(&parts) : 0;
}

bool cr_client_cert_describe(const cr_client_cert *client, cr_client_cert_details *details) {
    X509 *certificate = client->certificate;
    memset(details, 0, sizeof *details);
    cr_buffer block = {0};
    unsigned length = 0;
    bool done = put_name(&block, cr_crypto.X509_get_subject_name(certificate)) &&
        put_name(&block, cr_crypto.X509_get_issuer_name(certificate)) && put_serial(&block, certificate) &&
        put_pem(&block, certificate) && put_alternatives(&block, certificate, &details->name_count) &&
        cr_crypto.X509_digest(certificate, cr_crypto.EVP_sha256(), details->fingerprint, &length);
    cr_crypto.ERR_clear_error();
    if (!done) {
        cr_buffer_clear(&block);
        return false;
    }
    details->not_before = seconds(cr_crypto.X509_get0_notBefore(certificate));
    details->not_after = seconds(cr_crypto.X509_get0_notAfter(certificate));
    const char **texts[] = {&details->subject, &details->issuer, &details->serial, &details->pem, &details->names};
    const char *at = (const char *)block.bytes;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; at += strlen(at) + 1, i++) {
        *texts[i] = at;
        if (i == 4) break;
    }
    details->block = block.bytes;
    return true;
}

void cr_client_cert_details_free(cr_client_cert_details *details) {
    free(details->block);
}
