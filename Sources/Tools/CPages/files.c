/* Made by `make dialect` of the list in Tools/dialect/embedded.py; do not edit. */
#include "files.h"

/* A file's bytes, as C23 has it; compilers know it in older C, too, and warn. */
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char agents_md[] = {
#embed "packed/agents.md.gz"
};

static const unsigned char routes_md[] = {
#embed "packed/routes.md.gz"
};

static const unsigned char matching_md[] = {
#embed "packed/matching.md.gz"
};

static const unsigned char waiting_md[] = {
#embed "packed/waiting.md.gz"
};

static const unsigned char faults_md[] = {
#embed "packed/faults.md.gz"
};

static const pg_file files[] = {
    {"agents.md", agents_md, sizeof agents_md},
    {"routes.md", routes_md, sizeof routes_md},
    {"matching.md", matching_md, sizeof matching_md},
    {"waiting.md", waiting_md, sizeof waiting_md},
    {"faults.md", faults_md, sizeof faults_md},
};

const pg_file *pg_files(size_t *count) {
    *count = sizeof files / sizeof *files;
    return files;
}
