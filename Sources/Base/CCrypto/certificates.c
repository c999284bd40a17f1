#include "certificate_library.h"

#include <string.h>
#include <time.h>

cc_key *cc_curve_key_make(void) {
    return cc_openssl.EVP_PKEY_Q_keygen(NULL, NULL, "EC", "P-256");
}

cc_key *cc_rsa_key_make(int bits) {
    return cc_openssl.EVP_PKEY_Q_keygen(NULL, NULL, "RSA", (size_t)bits);
}

void cc_private_key_free(cc_key *key) {
    if (key != NULL) cc_openssl.EVP_PKEY_free(key);
}

/* Adds an extension whose value is in the syntax of OpenSSL's configuration; `value` never comes from a user. */
static bool add_extension(X509 *certificate, const cc_certificate *issuer, int kind, const char *value) {
    X509V3_CTX context;
    cc_openssl.X509V3_set_ctx(&context, issuer == NULL ? certificate : (X509 *)issuer, certificate, NULL, NULL, 0);
    context.db = NULL;
    X509_EXTENSION *extension = cc_openssl.X509V3_EXT_nconf_nid(NULL, &context, kind, value);
    bool done = extension != NULL && cc_openssl.X509_add_ext(certificate, extension, -1) == 1;
    cc_openssl.X509_EXTENSION_free(extension);
    return done;
}

/* Makes a general name of `length` bytes: an IP address if the text is one, otherwise a DNS name. Returns NULL on
 * failure. */
static GENERAL_NAME *general_name(const char *text, size_t length) {
    char copy[256];
    GENERAL_NAME *name = length < sizeof copy ? cc_openssl.GENERAL_NAME_new() : NULL;
    if (name == NULL) return NULL;
    memcpy(copy, text, length);
    copy[length] = 0;
    ASN1_OCTET_STRING *address = cc_openssl.a2i_IPADDRESS(copy);
    if (address != NULL) {
        cc_openssl.GENERAL_NAME_set0_value(name, GEN_IPADD, address);
        return name;
    }
    ASN1_IA5STRING *host = cc_openssl.ASN1_IA5STRING_new();
    if (host == NULL || cc_openssl.ASN1_STRING_set(host, text, (int)length) != 1) {
        cc_openssl.ASN1_STRING_free(host);
        cc_openssl.GENERAL_NAME_free(name);
        return NULL;
    }
    cc_openssl.GENERAL_NAME_set0_value(name, GEN_DNS, host);
    return name;
}

/* Adds the names, one a line, as alternative names. They are critical if there is no subject (RFC 5280, 4.2.1.6). */
static bool add_names(X509 *certificate, const char *names, bool is_critical) {
    OPENSSL_STACK *stack = cc_openssl.OPENSSL_sk_new_null();
    bool done = stack != NULL;
    while (done && *names != 0) {
        size_t length = strcspn(names, "\n");
        GENERAL_NAME *name = general_name(names, length);
        done = name != NULL && cc_openssl.OPENSSL_sk_push(stack, name) > 0;
        if (!done) cc_openssl.GENERAL_NAME_free(name);
        names += length;
        names += *names == '\n';
    }
    done = done && cc_openssl.X509_add1_ext_i2d(certificate, NID_subject_alt_name, stack, is_critical, 0) == 1;
    cc_openssl.GENERAL_NAMES_free((GENERAL_NAMES *)stack);
    return done;
}

static bool set_serial_number(X509 *certificate) {
    unsigned char bytes[16];
    if (cc_openssl.RAND_bytes(bytes, sizeof bytes) != 1) return false;
    /* Positive, and always of the same length. */
    bytes[0] = (bytes[0] & 0x3f) | 0x40;
    BIGNUM *number = cc_openssl.BN_bin2bn(bytes, sizeof bytes, NULL);
    ASN1_INTEGER *serial = number == NULL ? NULL : cc_openssl.BN_to_ASN1_INTEGER(number, NULL);
    bool done = serial != NULL && cc_openssl.X509_set_serialNumber(certificate, serial) == 1;
    cc_openssl.BN_free(number);
    cc_openssl.ASN1_STRING_free(serial);
    return done;
}

static bool add_entry(X509 *certificate, const char *kind, const char *text) {
    return cc_openssl.X509_NAME_add_entry_by_txt(cc_openssl.X509_get_subject_name(certificate), kind, MBSTRING_UTF8,
               (const unsigned char *)text, -1, -1, 0) == 1;
}

static bool set_facts(X509 *certificate, const struct cc_certificate_plan *plan) {
    /* An authority gets a second entry, so that its subject is never equal to that of a host. */
    bool done = cc_openssl.X509_set_version(certificate, X509_VERSION_3) == 1 && set_serial_number(certificate) &&
        cc_openssl.X509_set_pubkey(certificate, (EVP_PKEY *)plan->key) == 1 &&
        cc_openssl.ASN1_TIME_set(cc_openssl.X509_getm_notBefore(certificate), (time_t)plan->not_before) != NULL &&
        cc_openssl.ASN1_TIME_set(cc_openssl.X509_getm_notAfter(certificate), (time_t)plan->not_after) != NULL &&
        (plan->role == CC_SERVER || add_entry(certificate, "O", "Stunt Double")) &&
        (plan->common_name == NULL || add_entry(certificate, "CN", plan->common_name));
    const cc_certificate *issuer = plan->issuer == NULL ? certificate : plan->issuer;
    return done && cc_openssl.X509_set_issuer_name(certificate, cc_openssl.X509_get_subject_name(issuer)) == 1;
}

static bool add_extensions(X509 *certificate, const struct cc_certificate_plan *plan) {
    static const char *const constraints[] = {
        [CC_SERVER] = "critical,CA:FALSE",
        [CC_AUTHORITY] = "critical,CA:TRUE",
        [CC_INTERMEDIATE] = "critical,CA:TRUE,pathlen:0",
    };
    const cc_certificate *issuer = plan->issuer;
    bool is_server = plan->role == CC_SERVER;
    const char *usage = !is_server ? "critical,keyCertSign,cRLSign" :
        cc_openssl.EVP_PKEY_is_a(plan->key, "RSA") ? "critical,digitalSignature,keyEncipherment" :
                                                     "critical,digitalSignature";
    return add_extension(certificate, issuer, NID_basic_constraints, constraints[plan->role]) &&
        add_extension(certificate, issuer, NID_key_usage, usage) &&
        (!is_server || add_extension(certificate, issuer, NID_ext_key_usage, "serverAuth")) &&
        add_extension(certificate, issuer, NID_subject_key_identifier, "hash") &&
        (issuer == NULL || add_extension(certificate, issuer, NID_authority_key_identifier, "keyid:always")) &&
        (plan->names == NULL || add_names(certificate, plan->names, plan->common_name == NULL));
}

cc_certificate *cc_certificate_make(const struct cc_certificate_plan *plan) {
    X509 *certificate = cc_openssl.X509_new();
    if (certificate == NULL) return NULL;
    const cc_key *signer = plan->issuer == NULL ? plan->key : plan->issuer_key;
    bool done = set_facts(certificate, plan) && add_extensions(certificate, plan) &&
        cc_openssl.X509_sign(certificate, (EVP_PKEY *)signer, cc_openssl.EVP_sha256()) > 0;
    if (!done) {
        cc_openssl.X509_free(certificate);
        certificate = NULL;
    }
    cc_openssl.ERR_clear_error();
    return certificate;
}

void cc_certificate_free(cc_certificate *certificate) {
    if (certificate != NULL) cc_openssl.X509_free(certificate);
}

bool cc_certificate_fingerprint(const cc_certificate *certificate, uint8_t out[CC_FINGERPRINT_LENGTH]) {
    unsigned int length = 0;
    return cc_openssl.X509_digest(certificate, cc_openssl.EVP_sha256(), out, &length) == 1 &&
        length == CC_FINGERPRINT_LENGTH;
}

static bool seconds(const ASN1_TIME *time, int64_t *out) {
    struct tm parts;
    if (time == NULL || cc_openssl.ASN1_TIME_to_tm(time, &parts) != 1) return false;
    *out = timegm(&parts);
    return true;
}

bool cc_certificate_validity(const cc_certificate *certificate, int64_t *not_before, int64_t *not_after) {
    return seconds(cc_openssl.X509_get0_notBefore(certificate), not_before) &&
        seconds(cc_openssl.X509_get0_notAfter(certificate), not_after);
}

bool cc_key_is(const cc_key *key, const char *kind) {
    return cc_openssl.EVP_PKEY_is_a(key, kind) == 1;
}

bool cc_certificate_has_key(const cc_certificate *certificate, const cc_key *key) {
    bool has = cc_openssl.X509_check_private_key(certificate, key) == 1;
    cc_openssl.ERR_clear_error();
    return has;
}

bool cc_certificate_is_issued_by(const cc_certificate *certificate, const cc_certificate *issuer) {
    /* Two authorities can have the same name, and key identifiers are often missing: the signature decides. */
    bool is = cc_openssl.X509_check_issued((X509 *)issuer, (X509 *)certificate) == X509_V_OK &&
        cc_openssl.X509_verify((X509 *)certificate, cc_openssl.X509_get0_pubkey(issuer)) == 1;
    cc_openssl.ERR_clear_error();
    return is;
}

bool cc_certificate_is_for(const cc_certificate *certificate, const char *name, size_t length) {
    bool is = length > 0 && cc_openssl.X509_check_host((X509 *)certificate, name, length, 0, NULL) == 1;
    cc_openssl.ERR_clear_error();
    return is;
}
