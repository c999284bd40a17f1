/* Log messages of failed handshakes with clients. */
#include "tls.h"

#include <stdio.h>

/* The meaning of an alert with which a client ended the handshake. */
static const char *meaning(int alert) {
    switch (alert) {
    case SSL_AD_CLOSE_NOTIFY: return "it does not want to go on (close_notify)";
    case SSL_AD_HANDSHAKE_FAILURE: return "it found nothing that both sides can do (handshake_failure)";
    case SSL_AD_BAD_CERTIFICATE: return "it does not accept the certificate (bad_certificate)";
    case SSL_AD_UNSUPPORTED_CERTIFICATE: return "it does not accept this kind of certificate (unsupported_certificate)";
    case SSL_AD_CERTIFICATE_REVOKED: return "it holds the certificate for revoked (certificate_revoked)";
    case SSL_AD_CERTIFICATE_EXPIRED: return "the certificate has expired, or is not valid yet (certificate_expired)";
    case SSL_AD_CERTIFICATE_UNKNOWN: return "it does not accept the certificate (certificate_unknown)";
    case SSL_AD_UNKNOWN_CA: return "it does not trust the certificate (unknown_ca)";
    case SSL_AD_ACCESS_DENIED: return "it does not want to go on (access_denied)";
    case SSL_AD_PROTOCOL_VERSION: return "it does not speak this version of TLS (protocol_version)";
    case SSL_AD_INSUFFICIENT_SECURITY: return "it takes the key or the ciphers for too weak (insufficient_security)";
    case SSL_AD_INTERNAL_ERROR: return "it has a problem of its own (internal_error)";
    case SSL_AD_USER_CANCELLED: return "its user cancelled it (user_canceled)";
    case SSL_AD_UNRECOGNIZED_NAME: return "it does not know the name (unrecognized_name)";
    default: return NULL;
    }
}

/* OpenSSL's reason for a received alert is the alert's number plus this. */
enum { ALERTS = SSL_AD_REASON_OFFSET, ALERTS_END = SSL_AD_REASON_OFFSET + 256 };

static const char *own_reason(int reason) {
    switch (reason) {
    case SSL_R_PEER_DID_NOT_RETURN_A_CERTIFICATE: return "showed no certificate, which this port requires";
    case SSL_R_NO_APPLICATION_PROTOCOL: return "offers by ALPN only protocols that are not served";
    case SSL_R_UNSUPPORTED_PROTOCOL: return "does not speak TLS 1.2 or 1.3";
    case SSL_R_NO_SHARED_CIPHER: return "has no cipher in common with this port";
    case SSL_R_CALLBACK_FAILED: return "cannot be shown its certificate";
    default: return NULL;
    }
}

void cr_tls_log_failure(cr_tls *tls) {
    /* This failure is intended. */
    if (tls->hello_kind == CR_HELLO_OLD_VERSION) return;
    unsigned long error = cr_crypto.ERR_peek_error();
    int reason = ERR_GET_REASON(error);
    char text[300];
    if (tls->not_tls) {
        snprintf(text, sizeof text, "sent bytes that begin no TLS handshake, on a port that speaks HTTPS");
    } else if (reason > ALERTS && reason < ALERTS_END) {
        const char *reason_text = meaning(reason - ALERTS);
        if (!reason_text) reason_text = cr_crypto.ERR_reason_error_string(error);
        snprintf(text, sizeof text, "ended the TLS handshake: %s", reason_text ? reason_text : "it gave no reason");
    } else if (reason == SSL_R_CERTIFICATE_VERIFY_FAILED) {
        const char *reason_text = cr_crypto.X509_verify_cert_error_string(cr_ssl.SSL_get_verify_result(tls->ssl));
        snprintf(text, sizeof text, "showed a certificate that is not accepted: %s", reason_text);
    } else if (own_reason(reason)) {
        snprintf(text, sizeof text, "%s", own_reason(reason));
    } else if (tls->ended || error == 0) {
        snprintf(text, sizeof text, "left in the middle of the TLS handshake");
    } else {
        const char *reason_text = cr_crypto.ERR_reason_error_string(error);
        snprintf(text, sizeof text, "could not complete the TLS handshake: %s",
            reason_text ? reason_text : "no reason is known");
    }
    tls->owner->log(tls, text);
}
