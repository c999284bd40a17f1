"use strict";

class StuntDoubleError extends Error {
    constructor(message, options) {
        super(message, options);
        this.name = new.target.name;
    }
}

class StartError extends StuntDoubleError {}

class AdminError extends StuntDoubleError {
    constructor(message, status, body, options) {
        super(message, options);
        this.status = status;
        this.body = body;
    }
}

class VerificationError extends StuntDoubleError {}

module.exports = { StuntDoubleError, StartError, AdminError, VerificationError };
