/// Certificates for tests, valid from 2020 to 2120, made with `openssl ca`.
public enum TestCertificates {
    /// The authority of the servers.
    public static let authority = """
        -----BEGIN CERTIFICATE-----
        MIIBVzCB/aADAgECAgEQMAoGCCqGSM49BAMCMBIxEDAOBgNVBAMMB1Rlc3QgQ0Ew
        IBcNMjAwMTAxMDAwMDAwWhgPMjEyMDAxMDEwMDAwMDBaMBIxEDAOBgNVBAMMB1Rl
        c3QgQ0EwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAATCW1PPDvi532xAvSk6wemA
        ljSM5C0G00K6gX3C2b3rVDSkLWc12YZoz37lC7Qn7uG0/3jO6P09owlOUjhmwESd
        o0IwQDAPBgNVHRMBAf8EBTADAQH/MA4GA1UdDwEB/wQEAwIBBjAdBgNVHQ4EFgQU
        gZhhRcvyWZd5Flci6lG24dVEeE4wCgYIKoZIzj0EAwIDSQAwRgIhAMGfHSxjnfX9
        x2akqi6gCwDDiPy1hg4Hc12LaEIJgc0YAiEAqipfi6KtA5T2QDXzPgYt9ujliIHo
        ZWzo4x08q5/9oqo=
        -----END CERTIFICATE-----
        """

    /// For `localhost` and 127.0.0.1.
    public static let localhost = """
        -----BEGIN CERTIFICATE-----
        MIIBlDCCATqgAwIBAgIBITAKBggqhkjOPQQDAjASMRAwDgYDVQQDDAdUZXN0IENB
        MCAXDTIwMDEwMTAwMDAwMFoYDzIxMjAwMTAxMDAwMDAwWjAUMRIwEAYDVQQDDAls
        b2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAARz3fZDDYjWJookn7Nm
        SagJMnLpSykUExk3qIE+0EaQWdVzU95NneH/ekbOWpLTL9jFjOFbdvMQXvF5r+Dc
        gykoo30wezAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwHQYDVR0lBBYwFAYI
        KwYBBQUHAwEGCCsGAQUFBwMCMB0GA1UdDgQWBBQ6X8BxhhHnLgFDf25JaVyJFLUt
        FzAfBgNVHSMEGDAWgBSBmGFFy/JZl3kWVyLqUbbh1UR4TjAKBggqhkjOPQQDAgNI
        ADBFAiEAjMuLt3vMEc+5RC5G1T5+5n6zjIwcMnNqhPPECMupGW4CIEV6zglGdGVc
        YMyPGyvO0mamuJMXU6IqQWxH8SmIAzOQ
        -----END CERTIFICATE-----
        """

    public static let localhostKey = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgBMPC2cLsg8bhE7IS
        SXRkUOSAvZ83GdTEDd+VLOJcxMKhRANCAARz3fZDDYjWJookn7NmSagJMnLpSykU
        Exk3qIE+0EaQWdVzU95NneH/ekbOWpLTL9jFjOFbdvMQXvF5r+Dcgyko
        -----END PRIVATE KEY-----
        """

    /// For `other.example`.
    public static let other = """
        -----BEGIN CERTIFICATE-----
        MIIBljCCATygAwIBAgIBIjAKBggqhkjOPQQDAjASMRAwDgYDVQQDDAdUZXN0IENB
        MCAXDTIwMDEwMTAwMDAwMFoYDzIxMjAwMTAxMDAwMDAwWjAYMRYwFAYDVQQDDA1v
        dGhlci5leGFtcGxlMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEvAbraPjY92Dv
        B2nijsoo+5DsDkMsJ0lK+JtNS3ynRW6TRl7iCPjLUlaSWnjVK99TsQnncWfg7Kga
        C/fxNMs4s6N7MHkwGAYDVR0RBBEwD4INb3RoZXIuZXhhbXBsZTAdBgNVHSUEFjAU
        BggrBgEFBQcDAQYIKwYBBQUHAwIwHQYDVR0OBBYEFJ2mrUC5XKlQjnHTyRdG936b
        HUKLMB8GA1UdIwQYMBaAFIGYYUXL8lmXeRZXIupRtuHVRHhOMAoGCCqGSM49BAMC
        A0gAMEUCIQCc8RW41TuAp191ptrJG93BolaTAn3rQ+8j/h936r5mSwIgHIzMGghJ
        L+sc9hczuNpcc1H1QaCAgnKu8xcxJ4ISmQc=
        -----END CERTIFICATE-----
        """

    public static let otherKey = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgbvTyjCmQnO+M6z69
        3ibHA0L6oepjP/U65QV7F6Ke8OOhRANCAAS8Buto+Nj3YO8HaeKOyij7kOwOQywn
        SUr4m01LfKdFbpNGXuII+MtSVpJaeNUr31OxCedxZ+DsqBoL9/E0yziz
        -----END PRIVATE KEY-----
        """

    /// For `weak.example`, with an RSA key of 1024 bits.
    public static let weak = """
        -----BEGIN CERTIFICATE-----
        MIIB3DCCAYGgAwIBAgIBIzAKBggqhkjOPQQDAjASMRAwDgYDVQQDDAdUZXN0IENB
        MCAXDTIwMDEwMTAwMDAwMFoYDzIxMjAwMTAxMDAwMDAwWjAXMRUwEwYDVQQDDAx3
        ZWFrLmV4YW1wbGUwgZ8wDQYJKoZIhvcNAQEBBQADgY0AMIGJAoGBAOji4AskEcnx
        7MKLDnB+X1deR/p0i52p0zt4q42sQGEVBDhPNgSMNVj5qrshtur1MS+bDVrkKALI
        DdC9I7iVchkPjgjzl4M3MUz549cyvmlXvC57jHjjUejFp0CYQlKw/m5X1xvolOyj
        BX5ShzWfq0y+Nh0OYpXWEcxpJAEwLLohAgMBAAGjejB4MBcGA1UdEQQQMA6CDHdl
        YWsuZXhhbXBsZTAdBgNVHSUEFjAUBggrBgEFBQcDAQYIKwYBBQUHAwIwHQYDVR0O
        BBYEFPa0FyshmJZanCnC1g2zdXyvBwQ1MB8GA1UdIwQYMBaAFIGYYUXL8lmXeRZX
        IupRtuHVRHhOMAoGCCqGSM49BAMCA0kAMEYCIQClkn3dY8cbqgucP26CgRR0lyGL
        CZedECLmn/9FjgRFBAIhAMZRV3NKrFhS75KR2+1lM4EwpJx4R6HYZhzBT8Isv1up
        -----END CERTIFICATE-----
        """

    public static let weakKey = """
        -----BEGIN PRIVATE KEY-----
        MIICeAIBADANBgkqhkiG9w0BAQEFAASCAmIwggJeAgEAAoGBAOji4AskEcnx7MKL
        DnB+X1deR/p0i52p0zt4q42sQGEVBDhPNgSMNVj5qrshtur1MS+bDVrkKALIDdC9
        I7iVchkPjgjzl4M3MUz549cyvmlXvC57jHjjUejFp0CYQlKw/m5X1xvolOyjBX5S
        hzWfq0y+Nh0OYpXWEcxpJAEwLLohAgMBAAECgYAG2BQJf8feDXQNy5RjDfOzV5v5
        6k7oFUOV7dfs0/EYaUu0c+98drpioQO5eCYuBYKqiX38+9OJMWPmjIhuNkYiFA5r
        HTvnbZRcVICGHeViRISfXX0lrcc41NC12igCjTpXhBm9GMgafTJyB3fYo8jiYrB5
        NEvFBDtID+m2a49mAQJBAPhhYYDZ1re6d91ozIFZOkML+kdkiVP5ReK6cCFIHZ2u
        fukbV4HmUpNkLQLOmFx6i6aVVmpiXBq5ToXLZlUgmJECQQDwB9Aq1HKdRBHffZ4t
        E0jhQ34XYKtiCM3yZ4qzVyfii6ZE1Ji8HyW3x7Nqlk6fw70pUyp+H2txZ1bq0cgk
        +VCRAkEAznitA96SFjLk12H5toDE5N09FUHmwq6RwLL46UG4lM5sYzy+VpZvCGUa
        4Z15nE6mbjjwGAlhxTlLo/78N0GccQJBAKKJ9+n44QAj5yJ7MxB8/Z4lEQ6NlKCX
        K7bZbLAS9dxQCrCTcjX5tZXkslccH3PKnZ6NRboQVrZ9bvsmQazf8zECQQDoF+6U
        eT1SIiP2BIkyrEC69as8kL3ohUwj+WNFzqV3EZBevnvEsy6AkXoBEp1e+48+aGHQ
        VJB8KYTNafBg94lI
        -----END PRIVATE KEY-----
        """

    /// The authority of the clients.
    public static let clientAuthority = """
        -----BEGIN CERTIFICATE-----
        MIIBZjCCAQugAwIBAgIBETAKBggqhkjOPQQDAjAZMRcwFQYDVQQDDA5UZXN0IENs
        aWVudCBDQTAgFw0yMDAxMDEwMDAwMDBaGA8yMTIwMDEwMTAwMDAwMFowGTEXMBUG
        A1UEAwwOVGVzdCBDbGllbnQgQ0EwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAQz
        yBKg4NqPvkKozWjAzpIaN8z6srWRg7X4bxUV/aadVUDtsKFGPOByKzjIr+5UC/NY
        HMbe79vaav5Oxp0YmOJWo0IwQDAPBgNVHRMBAf8EBTADAQH/MA4GA1UdDwEB/wQE
        AwIBBjAdBgNVHQ4EFgQU2AkOP3U9Ewt7Z9L2oi892FOt680wCgYIKoZIzj0EAwID
        SQAwRgIhAIMlX6HSewsZzkjNp3a3PBSvgASUlJ8omImODQQdZX6xAiEAgWqZD279
        +rnVKlUcT1NDYCdp70ZIoCMJZzQN9Dqnnq0=
        -----END CERTIFICATE-----
        """

    /// A client: `CN=alice,O=Example`, serial number 01AF.
    public static let alice = """
        -----BEGIN CERTIFICATE-----
        MIIBzjCCAXSgAwIBAgICAa8wCgYIKoZIzj0EAwIwGTEXMBUGA1UEAwwOVGVzdCBD
        bGllbnQgQ0EwIBcNMjAwMTAxMDAwMDAwWhgPMjEyMDAxMDEwMDAwMDBaMCIxDjAM
        BgNVBAMMBWFsaWNlMRAwDgYDVQQKDAdFeGFtcGxlMFkwEwYHKoZIzj0CAQYIKoZI
        zj0DAQcDQgAEKL9PO4gsyMWnfcQ2AsnqCDhzBqB2Q0W62W9d9JJdEBN0VxsjyBJH
        Fg/p7PRlGEg4PPwEB3/W7UJlA0qNaTx6Q6OBoDCBnTA8BgNVHREENTAzgg1hbGlj
        ZS5leGFtcGxlgRFhbGljZUBleGFtcGxlLm9yZ4YJdXJuOmFsaWNlhwQKAAABMB0G
        A1UdJQQWMBQGCCsGAQUFBwMBBggrBgEFBQcDAjAdBgNVHQ4EFgQUe0Y77Z4DntuM
        ZZdcIB+EUjaD+bIwHwYDVR0jBBgwFoAU2AkOP3U9Ewt7Z9L2oi892FOt680wCgYI
        KoZIzj0EAwIDSAAwRQIgYDd7RjSKO2c11JbRLXreVo0HVX25bllg0ENUgoSgUzIC
        IQD+halbWsr1SsSqsESoEKCBryIKhc9nrJ3upgoQB5Hv6Q==
        -----END CERTIFICATE-----
        """

    public static let aliceKey = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQglu29i+HkLjU4RKP9
        eg7b5F7doYV9J1lqEDjqsMpuBgShRANCAAQov087iCzIxad9xDYCyeoIOHMGoHZD
        RbrZb130kl0QE3RXGyPIEkcWD+ns9GUYSDg8/AQHf9btQmUDSo1pPHpD
        -----END PRIVATE KEY-----
        """

    /// A client whose authority nobody trusts.
    public static let mallory = """
        -----BEGIN CERTIFICATE-----
        MIIBkzCCATmgAwIBAgIBJTAKBggqhkjOPQQDAjATMREwDwYDVQQDDAhPdGhlciBD
        QTAgFw0yMDAxMDEwMDAwMDBaGA8yMTIwMDEwMTAwMDAwMFowEjEQMA4GA1UEAwwH
        bWFsbG9yeTBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABGg1lQ29XmFYd/9Ct5Pf
        9uT5nqZ2Dx5wrNGhpFWYIjmYIg/OZhOHkISj9Iweoixl1Vl8vVZaE0nFBsOrMkBA
        UDqjfTB7MBoGA1UdEQQTMBGCD21hbGxvcnkuZXhhbXBsZTAdBgNVHSUEFjAUBggr
        BgEFBQcDAQYIKwYBBQUHAwIwHQYDVR0OBBYEFOGe5xnAc00Hd4aYoTnyhNzovEST
        MB8GA1UdIwQYMBaAFFnfiz9utMutKgRGuivnuqFXiYh2MAoGCCqGSM49BAMCA0gA
        MEUCIQC1UDUFHPecsEllkv8gZoVdNLIuugZMBCznO8C23t0RfAIgPfcq4xW8HFGM
        AeeL6h3onNBdjpIYKm9Mf/xl8i0W36A=
        -----END CERTIFICATE-----
        """

    public static let malloryKey = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgyAejN/9SblRmfpxs
        itxi2QT5+VhzYgVuHtLUvorznCihRANCAARoNZUNvV5hWHf/QreT3/bk+Z6mdg8e
        cKzRoaRVmCI5mCIPzmYTh5CEo/SMHqIsZdVZfL1WWhNJxQbDqzJAQFA6
        -----END PRIVATE KEY-----
        """
}
