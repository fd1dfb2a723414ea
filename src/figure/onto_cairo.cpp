// Each kind of shape by Cairo.
// SPDX-License-Identifier: Apache-2.0
#include "figure/onto_cairo.h"

#include <cairo-ft.h>
#include <fmt/format.h>

#include <numbers>

#include "base/utf8.h"
#include "figure/typeface.h"

namespace sluice::figure {
namespace {

double real(index i) {
    return static_cast<double>(i);
}

// One for all threads: Cairo locks it. FreeType's objects live as long as the program.
cairo_font_face_t* face() {
    static cairo_font_face_t* const one = [] {
        static FT_Library library = nullptr;
        static FT_Face font = nullptr;
        auto const file = font_file();
        expects(FT_Init_FreeType(&library) == 0);
        expects(FT_New_Memory_Face(library, file.data(), static_cast<FT_Long>(file.size()), 0,
                                   &font) == 0);
        return cairo_ft_font_face_create_for_ft_face(font, FT_LOAD_TARGET_LIGHT);
    }();
    return one;
}

void set_colour(cairo_t* to, Rgb c, double opacity = 1) {
    cairo_set_source_rgba(to, c.r / 255.0, c.g / 255.0, c.b / 255.0, opacity);
}

void add_box(cairo_t* to, Box const& b) {
    cairo_rectangle(to, real(b.left), real(b.top), real(b.cols), real(b.rows));
}

void draw(cairo_t* to, Filled const& f, Kind) {
    set_colour(to, f.colour, f.opacity);
    add_box(to, f.box);
    cairo_fill(to);
}

void draw(cairo_t* to, Stroke const& s, Kind) {
    add_box(to, s.clip);
    cairo_clip(to);
    set_colour(to, s.colour);
    cairo_set_line_width(to, s.thickness);
    cairo_set_line_cap(to, CAIRO_LINE_CAP_ROUND);
    cairo_set_line_join(to, CAIRO_LINE_JOIN_ROUND);
    for (auto const& line : s.lines) {
        cairo_move_to(to, line[0].col, line[0].row);
        for (std::size_t i = 1; i < line.size(); ++i) cairo_line_to(to, line[i].col, line[i].row);
    }
    cairo_stroke(to);
}

void draw(cairo_t* to, Letters const& l, Kind) {
    std::string const text = proper(l.text);
    std::vector<cairo_glyph_t> glyphs;
    std::vector<cairo_text_cluster_t> clusters;
    index at = l.left;
    // The letters of the text as it came, so that invalid UTF-8 shows as a box.
    for (std::string_view rest = l.text, clean = text; !rest.empty();) {
        unsigned const glyph = glyph_of(next_character(rest));
        std::size_t const before = clean.size();
        next_character(clean);
        glyphs.push_back({glyph, real(at), real(l.baseline)});
        clusters.push_back({static_cast<int>(before - clean.size()), 1});
        at += advance_of(glyph, l.pen.cap);
    }
    cairo_set_font_face(to, face());
    cairo_set_font_size(to, font_size(l.pen.cap));
    set_colour(to, l.pen.colour);
    cairo_show_text_glyphs(to, text.data(), static_cast<int>(text.size()), glyphs.data(),
                           static_cast<int>(glyphs.size()), clusters.data(),
                           static_cast<int>(clusters.size()), {});
}

Surface surface_of(Picture const& p) {
    Surface s(cairo_image_surface_create(CAIRO_FORMAT_RGB24, static_cast<int>(p.cols),
                                         static_cast<int>(p.rows)));
    unsigned char* const data = cairo_image_surface_get_data(s.get());
    if (data == nullptr) return s;
    index const stride = cairo_image_surface_get_stride(s.get());
    for (index r = 0; r < p.rows; ++r) {
        auto* const to = reinterpret_cast<std::uint32_t*>(data + r * stride);
        std::uint8_t const* from = p.rgb.data() + r * p.cols * 3;
        for (index c = 0; c < p.cols; ++c, from += 3)
            to[c] = static_cast<std::uint32_t>(from[0] << 16 | from[1] << 8 | from[2]);
    }
    cairo_surface_mark_dirty(s.get());
    return s;
}

void draw(cairo_t* to, Pixels const& p, Kind kind) {
    Box const& b = p.box;
    // Pixels are repeated here where the surface has pixels, so that no filter touches them.
    bool const repeat =
        kind == Kind::pixels && (p.picture.rows != b.rows || p.picture.cols != b.cols);
    Picture const& picture = p.picture;
    Surface const data = surface_of(repeat ? nearest(picture, b.rows, b.cols) : picture);
    cairo_translate(to, real(b.left), real(b.top));
    if (p.is_round) {
        cairo_save(to);
        cairo_scale(to, real(b.cols) / 2, real(b.rows) / 2);
        cairo_arc(to, 1, 1, 1, 0, 2 * std::numbers::pi);
        cairo_restore(to);
    } else {
        cairo_rectangle(to, 0, 0, real(b.cols), real(b.rows));
    }
    cairo_clip(to);
    if (!repeat)
        cairo_scale(to, real(b.cols) / real(picture.cols), real(b.rows) / real(picture.rows));
    cairo_set_source_surface(to, data.get(), 0, 0);
    cairo_pattern_set_filter(cairo_get_source(to), CAIRO_FILTER_NEAREST);
    cairo_paint(to);
}

}  // namespace

std::string proper(std::string_view text) {
    std::string out;
    while (!text.empty()) {
        std::string_view const before = text;
        char32_t const c = next_character(text);
        // Neither Cairo nor XML takes U+FFFE and U+FFFF.
        if (c == not_utf8 || c < U' ' || c == 0xfffe || c == 0xffff)
            out += "\ufffd";
        else
            out += before.substr(0, before.size() - text.size());
    }
    return out;
}

Status check(cairo_status_t status) {
    if (status == CAIRO_STATUS_SUCCESS) return {};
    Code const code =
        status == CAIRO_STATUS_NO_MEMORY ? Code::out_of_memory : Code::invalid_argument;
    bool const large = status == CAIRO_STATUS_NO_MEMORY || status == CAIRO_STATUS_INVALID_SIZE;
    return Error{code, fmt::format("cannot draw the picture ({}){}", cairo_status_to_string(status),
                                   large ? " make it smaller" : "; choose another format")};
}

Status draw_onto(cairo_surface_t* surface, Drawing const& drawing, Kind kind) {
    Context const to(cairo_create(surface));
    std::unique_ptr<cairo_font_options_t, decltype(&cairo_font_options_destroy)> const options(
        cairo_font_options_create(), cairo_font_options_destroy);
    cairo_font_options_set_antialias(options.get(), CAIRO_ANTIALIAS_GRAY);
    cairo_font_options_set_hint_style(options.get(), CAIRO_HINT_STYLE_SLIGHT);
    cairo_font_options_set_hint_metrics(options.get(), CAIRO_HINT_METRICS_OFF);
    cairo_set_font_options(to.get(), options.get());
    for (Shape const& shape : drawing.shapes) {
        cairo_save(to.get());
        std::visit([&](auto const& s) { draw(to.get(), s, kind); }, shape);
        cairo_restore(to.get());
    }
    return check(cairo_status(to.get()));
}

}  // namespace sluice::figure
