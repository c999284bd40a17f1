#include "resources.h"

/* A file's bytes, as C23 has it; compilers know it in older C, too, and warn. */
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char api_js[] = {
#embed "ui/api.js"
};

static const unsigned char app_js[] = {
#embed "ui/app.js"
};

static const unsigned char bodies_js[] = {
#embed "ui/bodies.js"
};

static const unsigned char copy_js[] = {
#embed "ui/copy.js"
};

static const unsigned char detail_js[] = {
#embed "ui/detail.js"
};

static const unsigned char dom_js[] = {
#embed "ui/dom.js"
};

static const unsigned char editor_js[] = {
#embed "ui/editor.js"
};

static const unsigned char filter_js[] = {
#embed "ui/filter.js"
};

static const unsigned char icon_svg[] = {
#embed "ui/icon.svg"
};

static const unsigned char index_html[] = {
#embed "ui/index.html"
};

static const unsigned char json_js[] = {
#embed "ui/json.js"
};

static const unsigned char list_js[] = {
#embed "ui/list.js"
};

static const unsigned char live_js[] = {
#embed "ui/live.js"
};

static const unsigned char more_js[] = {
#embed "ui/more.js"
};

static const unsigned char parts_js[] = {
#embed "ui/parts.js"
};

static const unsigned char record_js[] = {
#embed "ui/record.js"
};

static const unsigned char requests_js[] = {
#embed "ui/requests.js"
};

static const unsigned char rows_js[] = {
#embed "ui/rows.js"
};

static const unsigned char sessions_js[] = {
#embed "ui/sessions.js"
};

static const unsigned char stubs_js[] = {
#embed "ui/stubs.js"
};

static const unsigned char style_css[] = {
#embed "ui/style.css"
};

static const unsigned char views_css[] = {
#embed "ui/views.css"
};

static const rs_file files[] = {
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

const rs_file *rs_page(size_t *count)
{
    *count = sizeof files / sizeof *files;
    return files;
}
