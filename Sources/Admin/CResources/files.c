/* Made by `make dialect` of the list in Tools/dialect/embedded.py; do not edit. */
#include "files.h"

/* A file's bytes, as C23 has it; compilers know it in older C, too, and warn. */
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char openapi_json[] = {
#embed "packed/openapi.json.gz"
};

static const unsigned char api_js[] = {
#embed "packed/api.js.gz"
};

static const unsigned char app_js[] = {
#embed "packed/app.js.gz"
};

static const unsigned char bodies_js[] = {
#embed "packed/bodies.js.gz"
};

static const unsigned char copy_js[] = {
#embed "packed/copy.js.gz"
};

static const unsigned char detail_js[] = {
#embed "packed/detail.js.gz"
};

static const unsigned char dom_js[] = {
#embed "packed/dom.js.gz"
};

static const unsigned char editor_js[] = {
#embed "packed/editor.js.gz"
};

static const unsigned char filter_js[] = {
#embed "packed/filter.js.gz"
};

static const unsigned char icon_svg[] = {
#embed "packed/icon.svg.gz"
};

static const unsigned char index_html[] = {
#embed "packed/index.html.gz"
};

static const unsigned char json_js[] = {
#embed "packed/json.js.gz"
};

static const unsigned char list_js[] = {
#embed "packed/list.js.gz"
};

static const unsigned char live_js[] = {
#embed "packed/live.js.gz"
};

static const unsigned char messages_js[] = {
#embed "packed/messages.js.gz"
};

static const unsigned char more_js[] = {
#embed "packed/more.js.gz"
};

static const unsigned char parts_js[] = {
#embed "packed/parts.js.gz"
};

static const unsigned char record_js[] = {
#embed "packed/record.js.gz"
};

static const unsigned char requests_js[] = {
#embed "packed/requests.js.gz"
};

static const unsigned char rows_js[] = {
#embed "packed/rows.js.gz"
};

static const unsigned char sessions_js[] = {
#embed "packed/sessions.js.gz"
};

static const unsigned char stubs_js[] = {
#embed "packed/stubs.js.gz"
};

static const unsigned char style_css[] = {
#embed "packed/style.css.gz"
};

static const unsigned char views_css[] = {
#embed "packed/views.css.gz"
};

static const rs_file files[] = {
    {"openapi.json", openapi_json, sizeof openapi_json},
    {"api.js", api_js, sizeof api_js},
    {"app.js", app_js, sizeof app_js},
    {"bodies.js", bodies_js, sizeof bodies_js},
    {"copy.js", copy_js, sizeof copy_js},
    {"detail.js", detail_js, sizeof detail_js},
    {"dom.js", dom_js, sizeof dom_js},
    {"editor.js", editor_js, sizeof editor_js},
    {"filter.js", filter_js, sizeof filter_js},
    {"icon.svg", icon_svg, sizeof icon_svg},
    {"index.html", index_html, sizeof index_html},
    {"json.js", json_js, sizeof json_js},
    {"list.js", list_js, sizeof list_js},
    {"live.js", live_js, sizeof live_js},
    {"messages.js", messages_js, sizeof messages_js},
    {"more.js", more_js, sizeof more_js},
    {"parts.js", parts_js, sizeof parts_js},
    {"record.js", record_js, sizeof record_js},
    {"requests.js", requests_js, sizeof requests_js},
    {"rows.js", rows_js, sizeof rows_js},
    {"sessions.js", sessions_js, sizeof sessions_js},
    {"stubs.js", stubs_js, sizeof stubs_js},
    {"style.css", style_css, sizeof style_css},
    {"views.css", views_css, sizeof views_css},
};

const rs_file *rs_files(size_t *count) {
    *count = sizeof files / sizeof *files;
    return files;
}
