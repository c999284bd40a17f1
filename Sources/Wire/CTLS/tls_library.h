/* OpenSSL 3: libssl and libcrypto, loaded when TLS is first used. */
#ifndef CR_TLS_LIBRARY_H
#define CR_TLS_LIBRARY_H

#include "loaded_library.h"

#if !__has_include(<openssl/ssl.h>)
#error "the headers of OpenSSL are missing: `make deps`, or install libssl-dev (Debian and Ubuntu), openssl@3 (Homebrew)"
#endif

#include <openssl/bio.h>
#include <openssl/bn.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

#define CR_SSL_FUNCTIONS(X) \
    X(TLS_client_method) \
    X(TLS_server_method) \
    X(SSL_CTX_new) \
    X(SSL_CTX_free) \
    X(SSL_CTX_ctrl) \
    X(SSL_CTX_set_options) \
    X(SSL_CTX_set_security_level) \
    X(SSL_CTX_set_cipher_list) \
    X(SSL_CTX_set_cert_cb) \
    X(SSL_CTX_set_client_hello_cb) \
    X(SSL_CTX_set_alpn_select_cb) \
    X(SSL_CTX_set_alpn_protos) \
    X(SSL_CTX_set_default_verify_paths) \
    X(SSL_CTX_load_verify_locations) \
    X(SSL_CTX_sess_set_new_cb) \
    X(SSL_SESSION_free) \
    X(SSL_CTX_set_num_tickets) \
    X(SSL_CTX_set_verify) \
    X(SSL_CTX_get_cert_store) \
    X(SSL_CTX_get0_param) \
    X(SSL_CTX_add_client_CA) \
    X(SSL_check_chain) \
    X(SSL_new) \
    X(SSL_free) \
    X(SSL_ctrl) \
    X(SSL_set_bio) \
    X(SSL_get_rbio) \
    X(SSL_set_accept_state) \
    X(SSL_set_connect_state) \
    X(SSL_set_session) \
    X(SSL_session_reused) \
    X(SSL_get0_param) \
    X(SSL_set_session_id_context) \
    X(SSL_use_cert_and_key) \
    X(SSL_client_hello_get0_ext) \
    X(SSL_do_handshake) \
    X(SSL_read_ex) \
    X(SSL_write_ex) \
    X(SSL_has_pending) \
    X(SSL_shutdown) \
    X(SSL_get_shutdown) \
    X(SSL_want) \
    X(SSL_get0_alpn_selected) \
    X(SSL_set_alpn_protos) \
    X(SSL_get_pending_cipher) \
    X(SSL_CIPHER_get_kx_nid) \
    X(SSL_CIPHER_is_aead) \
    X(SSL_get0_peer_certificate) \
    X(SSL_get_verify_result)

#define CR_CRYPTO_FUNCTIONS(X) \
    X(ASN1_INTEGER_to_BN) \
    X(ASN1_STRING_get0_data) \
    X(ASN1_STRING_length) \
    X(ASN1_TIME_to_tm) \
    X(BIO_clear_flags) \
    X(BIO_ctrl) \
    X(BIO_free) \
    X(BIO_get_data) \
    X(BIO_get_new_index) \
    X(BIO_meth_new) \
    X(BIO_meth_set_create) \
    X(BIO_meth_set_ctrl) \
    X(BIO_meth_set_read) \
    X(BIO_meth_set_write) \
    X(BIO_new) \
    X(BIO_new_mem_buf) \
    X(BIO_s_mem) \
    X(BIO_set_data) \
    X(BIO_set_flags) \
    X(BIO_set_init) \
    X(BIO_test_flags) \
    X(BN_bn2hex) \
    X(BN_free) \
    X(CRYPTO_free) \
    X(ERR_clear_error) \
    X(ERR_peek_error) \
    X(ERR_reason_error_string) \
    X(EVP_PKEY_free) \
    X(EVP_sha256) \
    X(GENERAL_NAMES_free) \
    X(OPENSSL_sk_new_null) \
    X(OPENSSL_sk_num) \
    X(OPENSSL_sk_pop_free) \
    X(OPENSSL_sk_push) \
    X(OPENSSL_sk_value) \
    X(OpenSSL_version) \
    X(PEM_read_bio_PrivateKey) \
    X(PEM_read_bio_X509) \
    X(PEM_write_bio_X509) \
    X(X509_NAME_print_ex) \
    X(X509_STORE_add_cert) \
    X(X509_VERIFY_PARAM_set1_host) \
    X(X509_VERIFY_PARAM_set1_ip_asc) \
    X(X509_VERIFY_PARAM_set_flags) \
    X(X509_VERIFY_PARAM_set_hostflags) \
    X(X509_check_private_key) \
    X(X509_digest) \
    X(X509_free) \
    X(X509_get0_notAfter) \
    X(X509_get0_notBefore) \
    X(X509_get0_serialNumber) \
    X(X509_get_ext_d2i) \
    X(X509_get_issuer_name) \
    X(X509_get_subject_name) \
    X(X509_verify_cert_error_string)

/* Filled in once cr_tls_unavailable has returned NULL. */
typedef LOADED_TABLE(CR_SSL_FUNCTIONS) cr_ssl_table;
typedef LOADED_TABLE(CR_CRYPTO_FUNCTIONS) cr_crypto_table;
extern cr_ssl_table cr_ssl;
extern cr_crypto_table cr_crypto;

#endif
