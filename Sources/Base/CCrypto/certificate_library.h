#ifndef CERTIFICATE_LIBRARY_H
#define CERTIFICATE_LIBRARY_H

/* The functions of libcrypto that certificates need. The table is complete once `cc_certificates_unavailable` has
 * returned NULL. */

#include "ccertificates.h"
#include "loaded_library.h"

#if !__has_include(<openssl/x509v3.h>)
#error "the headers of OpenSSL are missing: `make deps`, or install libssl-dev (Debian and Ubuntu), openssl@3 (Homebrew)"
#endif

#include <openssl/asn1.h>
#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/pkcs12.h>
#include <openssl/provider.h>
#include <openssl/rand.h>
#include <openssl/rsa.h>
#include <openssl/x509v3.h>

#define CERTIFICATE_FUNCTIONS(X) \
    X(ASN1_INTEGER_get) \
    X(ASN1_IA5STRING_new) \
    X(ASN1_STRING_free) \
    X(ASN1_STRING_set) \
    X(ASN1_TIME_set) \
    X(ASN1_TIME_to_tm) \
    X(BIO_ctrl_pending) \
    X(BIO_free) \
    X(BIO_new) \
    X(BIO_new_mem_buf) \
    X(BIO_read) \
    X(BIO_s_mem) \
    X(BN_bin2bn) \
    X(BN_free) \
    X(BN_to_ASN1_INTEGER) \
    X(ERR_clear_error) \
    X(ERR_get_error) \
    X(CRYPTO_free) \
    X(EVP_CIPHER_CTX_free) \
    X(EVP_CIPHER_CTX_new) \
    X(EVP_DecryptFinal_ex) \
    X(EVP_DecryptInit_ex) \
    X(EVP_DecryptUpdate) \
    X(EVP_DigestFinal_ex) \
    X(EVP_DigestInit_ex) \
    X(EVP_DigestUpdate) \
    X(EVP_MD_CTX_free) \
    X(EVP_MD_CTX_new) \
    X(EVP_PKCS82PKEY_ex) \
    X(EVP_PKEY_CTX_free) \
    X(EVP_PKEY_CTX_new_from_name) \
    X(EVP_PKEY_CTX_set_rsa_keygen_bits) \
    X(EVP_PKEY_Q_keygen) \
    X(EVP_PKEY_free) \
    X(EVP_PKEY_generate) \
    X(EVP_PKEY_is_a) \
    X(EVP_PKEY_keygen_init) \
    X(EVP_des_ede3_cbc) \
    X(EVP_md5) \
    X(EVP_sha256) \
    X(GENERAL_NAMES_free) \
    X(GENERAL_NAME_free) \
    X(GENERAL_NAME_new) \
    X(GENERAL_NAME_set0_value) \
    X(OBJ_obj2nid) \
    X(OPENSSL_cleanse) \
    X(OPENSSL_sk_new_null) \
    X(OPENSSL_sk_num) \
    X(OPENSSL_sk_pop_free) \
    X(OPENSSL_sk_push) \
    X(OPENSSL_sk_value) \
    X(OSSL_LIB_CTX_free) \
    X(OSSL_LIB_CTX_new) \
    X(OSSL_PROVIDER_load) \
    X(OSSL_PROVIDER_unload) \
    X(PEM_read_bio) \
    X(PEM_read_bio_PrivateKey) \
    X(PEM_read_bio_X509) \
    X(PEM_write_bio_PKCS8PrivateKey) \
    X(PEM_write_bio_X509) \
    X(PKCS12_SAFEBAG_free) \
    X(PKCS12_SAFEBAG_get0_p8inf) \
    X(PKCS12_SAFEBAG_get0_pkcs8) \
    X(PKCS12_SAFEBAG_get0_safes) \
    X(PKCS12_SAFEBAG_get1_cert) \
    X(PKCS12_SAFEBAG_get_bag_nid) \
    X(PKCS12_SAFEBAG_get_nid) \
    X(PKCS12_decrypt_skey_ex) \
    X(PKCS12_free) \
    X(PKCS12_get0_mac) \
    X(PKCS12_get_friendlyname) \
    X(PKCS12_init_ex) \
    X(PKCS12_mac_present) \
    X(PKCS12_unpack_authsafes) \
    X(PKCS12_unpack_p7data) \
    X(PKCS12_unpack_p7encdata) \
    X(PKCS12_verify_mac) \
    X(PKCS7_free) \
    X(PKCS8_PRIV_KEY_INFO_free) \
    X(RAND_bytes) \
    X(X509V3_EXT_nconf_nid) \
    X(X509V3_set_ctx) \
    X(X509_EXTENSION_free) \
    X(X509_NAME_add_entry_by_txt) \
    X(X509_NAME_print_ex) \
    X(X509_SIG_free) \
    X(X509_SIG_get0) \
    X(X509_add1_ext_i2d) \
    X(X509_add_ext) \
    X(X509_check_host) \
    X(X509_check_issued) \
    X(X509_check_private_key) \
    X(X509_digest) \
    X(X509_free) \
    X(X509_get0_notAfter) \
    X(X509_get0_notBefore) \
    X(X509_get0_pubkey) \
    X(X509_get_subject_name) \
    X(X509_getm_notAfter) \
    X(X509_getm_notBefore) \
    X(X509_new) \
    X(X509_set_issuer_name) \
    X(X509_set_pubkey) \
    X(X509_set_serialNumber) \
    X(X509_set_version) \
    X(X509_sign) \
    X(X509_verify) \
    X(a2i_IPADDRESS) \
    X(d2i_PKCS12_bio) \
    X(d2i_PKCS8_PRIV_KEY_INFO) \
    X(d2i_X509) \
    X(d2i_X509_SIG)

typedef LOADED_TABLE(CERTIFICATE_FUNCTIONS) cc_certificate_functions;

extern cc_certificate_functions cc_openssl;

/* The number of hash rounds that an algorithm's parameters ask for; for scrypt, its cost N*r*p. Above CC_MAX_ROUNDS the
 * value is not exact. */
uint64_t cc_rounds_of(const X509_ALGOR *algorithm);

#endif
