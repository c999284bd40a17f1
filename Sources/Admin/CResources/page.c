#include "resources.h"

/* A file's bytes, as C23 has it; compilers know it in older C, too, and warn. */
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char index_html[] = {
#embed "ui/index.html"
};

static const unsigned char style_css[] = {
#embed "ui/style.css"
};

static const unsigned char views_css[] = {
#embed "ui/views.css"
};

static const unsigned char dom_js[] = {
#embed "ui/dom.js"
};

static const unsigned char api_js[] = {
#embed "ui/api.js"
};

static const unsigned char json_js[] = {
#embed "ui/json.js"
};

static const unsigned char app_js[] = {
#embed "ui/app.js"
};

static const unsigned char requests_js[] = {
#embed "ui/requests.js"
};

static const unsigned char filter_js[] = {
#embed "ui/filter.js"
};

static const unsigned char detail_js[] = {
#embed "ui/detail.js"
};

static const unsigned char copy_js[] = {
#embed "ui/copy.js"
};

static const unsigned char stubs_js[] = {
#embed "ui/stubs.js"
};

static const unsigned char editor_js[] = {
#embed "ui/editor.js"
};

static const unsigned char live_js[] = {
#embed "ui/live.js"
};

static const unsigned char record_js[] = {
#embed "ui/record.js"
};

static const unsigned char sessions_js[] = {
#embed "ui/sessions.js"
};

static const unsigned char more_js[] = {
#embed "ui/more.js"
};

static const rs_file files[] = {
    {"index.html", index_html, sizeof index_html},
    {"style.css", style_css, sizeof style_css},
    {"views.css", views_css, sizeof views_css},
    {"dom.js", dom_js, sizeof dom_js},
    {"api.js", api_js, sizeof api_js},
    {"json.js", json_js, sizeof json_js},
    {"app.js", app_js, sizeof app_js},
    {"requests.js", requests_js, sizeof requests_js},
    {"filter.js", filter_js, sizeof filter_js},
    {"detail.js", detail_js, sizeof detail_js},
    {"copy.js", copy_js, sizeof copy_js},
    {"stubs.js", stubs_js, sizeof stubs_js},
    {"editor.js", editor_js, sizeof editor_js},
    {"live.js", live_js, sizeof live_js},
    {"record.js", record_js, sizeof record_js},
    {"sessions.js", sessions_js, sizeof sessions_js},
    {"more.js", more_js, sizeof more_js},
};

const rs_file *rs_page(size_t *count)
{
    *count = sizeof files / sizeof *files;
    return files;
}
