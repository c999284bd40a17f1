#include "certificate_library.h"

/* Certificates and keys in PEM, and their names. */

cc_certificate *cc_certificate_read(const char *pem, size_t length) {
    BIO *source = length > INT32_MAX ? NULL : cc_openssl.BIO_new_mem_buf(pem, (int)length);
    if (source == NULL) return NULL;
    X509 *certificate = cc_openssl.PEM_read_bio_X509(source, NULL, NULL, (void *)"");
    cc_openssl.BIO_free(source);
    cc_openssl.ERR_clear_error();
    return certificate;
}

/* Copies what was written into `out`, and frees the writer. Returns the length, or 0 if nothing was written or it does
 * not fit. */
static size_t written_length(BIO *writer, bool was_written, char *out, size_t room) {
    size_t length = was_written ? cc_openssl.BIO_ctrl_pending(writer) : 0;
    if (length > room || length > INT32_MAX || cc_openssl.BIO_read(writer, out, (int)length) != (int)length) length = 0;
    cc_openssl.BIO_free(writer);
    cc_openssl.ERR_clear_error();
    return length;
}

size_t cc_certificate_write(const cc_certificate *certificate, char *out, size_t room) {
    BIO *writer = cc_openssl.BIO_new(cc_openssl.BIO_s_mem());
    if (writer == NULL) return 0;
    return written_length(writer, cc_openssl.PEM_write_bio_X509(writer, certificate) == 1, out, room);
}

size_t cc_private_key_write(const cc_key *key, char *out, size_t room) {
    BIO *writer = cc_openssl.BIO_new(cc_openssl.BIO_s_mem());
    if (writer == NULL) return 0;
    bool done = cc_openssl.PEM_write_bio_PKCS8PrivateKey(writer, key, NULL, NULL, 0, NULL, NULL) == 1;
    return written_length(writer, done, out, room);
}

size_t cc_certificate_subject(const cc_certificate *certificate, char *out, size_t room) {
    BIO *writer = cc_openssl.BIO_new(cc_openssl.BIO_s_mem());
    if (writer == NULL) return 0;
    const X509_NAME *name = cc_openssl.X509_get_subject_name(certificate);
    unsigned long flags = XN_FLAG_RFC2253 & ~(unsigned long)ASN1_STRFLGS_ESC_MSB;
    return written_length(writer, cc_openssl.X509_NAME_print_ex(writer, name, 0, flags) >= 0, out, room);
}
