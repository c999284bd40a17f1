"use strict";
// Stunt Double, a mock HTTP server, from JavaScript. See docs/javascript.md.
const { binaryPath } = require("./binary.js");
const { StuntDoubleError, StartError, AdminError, VerificationError } = require("./errors.js");
const { Server, start } = require("./server.js");
const { Session } = require("./session.js");
const { Stub } = require("./stubs.js");

module.exports = {
    start,
    Server,
    Session,
    Stub,
    binaryPath,
    StuntDoubleError,
    StartError,
    AdminError,
    VerificationError,
};
