// Drawings as pixels and as files.
// SPDX-License-Identifier: Apache-2.0
#include "figure/render.h"

#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/file.h"
#include "figure/onto_cairo.h"
#include "save/provenance.h"

namespace sluice::figure {
namespace {

cairo_status_t append(void* to, unsigned char const* bytes, unsigned count) {
    static_cast<std::string*>(to)->append(reinterpret_cast<char const*>(bytes), count);
    return CAIRO_STATUS_SUCCESS;
}

std::string escaped(std::string_view text) {
    std::string out;
    for (char const c : text) {
        if (c == '&')
            out += "&amp;";
        else if (c == '<')
            out += "&lt;";
        else if (c == '>')
            out += "&gt;";
        else
            out += c;
    }
    return out;
}

std::string texts_of(Drawing const& drawing) {
    std::string out;
    for (Shape const& shape : drawing.shapes)
        if (auto const* const letters = std::get_if<Letters>(&shape))
            out += (out.empty() ? "" : "\n") + proper(letters->text);
    return out;
}

// Cairo numbers surfaces since the program began; here they begin at 1.
std::string renumbered(std::string const& svg) {
    std::map<std::string, std::size_t> numbers;
    std::string out;
    std::size_t at = 0;
    while (at < svg.size()) {
        std::string_view const rest = std::string_view(svg).substr(at);
        std::string_view name;
        for (std::string_view const n : {"\"surface", "\"image", "#image", "#surface"})
            if (rest.starts_with(n)) name = n;
        std::size_t end = at + name.size();
        if (!name.empty())
            while (end < svg.size() && svg[end] >= '0' && svg[end] <= '9') ++end;
        if (name.empty() || end == at + name.size()) {
            out += svg[at++];
            continue;
        }
        std::string const number = svg.substr(at + name.size(), end - at - name.size());
        out += name;
        out += fmt::format("{}", numbers.emplace(number, numbers.size() + 1).first->second);
        at = end;
    }
    return out;
}

// Cairo does not tell a browser that data is not to be smoothed.
void keep_pixels(std::string& svg) {
    std::string const image = "<image ";
    std::string const style = "style=\"image-rendering:optimizeSpeed;image-rendering:pixelated\" ";
    for (std::size_t at = 0; (at = svg.find(image, at)) != std::string::npos; at += style.size())
        svg.insert(at += image.size(), style);
}

// A description and where it comes from, as the first children of the root.
std::string described(std::string svg, Drawing const& drawing, Provenance const& provenance) {
    keep_pixels(svg);
    std::size_t const root = svg.find('>', svg.find("<svg")) + 1;
    return svg.substr(0, root) + "\n<desc>" + escaped(texts_of(drawing)) + "</desc>\n<metadata>" +
           escaped(proper(save::json_of(provenance))) + "</metadata>" + svg.substr(root);
}

}  // namespace

Result<Picture> picture_of(Drawing const& drawing) {
    Surface const surface(cairo_image_surface_create(
        CAIRO_FORMAT_RGB24, static_cast<int>(drawing.cols), static_cast<int>(drawing.rows)));
    SLUICE_CHECK(check(cairo_surface_status(surface.get())));
    SLUICE_CHECK(draw_onto(surface.get(), drawing, Kind::pixels));
    cairo_surface_flush(surface.get());
    unsigned char const* const data = cairo_image_surface_get_data(surface.get());
    index const stride = cairo_image_surface_get_stride(surface.get());
    Picture p{drawing.rows, drawing.cols};
    p.rgb.reserve(static_cast<std::size_t>(p.rows * p.cols * 3));
    for (index r = 0; r < p.rows; ++r) {
        auto const* const from = reinterpret_cast<std::uint32_t const*>(data + r * stride);
        for (index c = 0; c < p.cols; ++c)
            for (int const shift : {16, 8, 0})
                p.rgb.push_back(static_cast<std::uint8_t>(from[c] >> shift));
    }
    return p;
}

Result<std::string> svg_of(Drawing const& drawing, Provenance const& provenance) {
    std::string svg;
    Surface const surface(cairo_svg_surface_create_for_stream(
        append, &svg, static_cast<double>(drawing.cols), static_cast<double>(drawing.rows)));
    cairo_svg_surface_set_document_unit(surface.get(), CAIRO_SVG_UNIT_PX);
    SLUICE_CHECK(draw_onto(surface.get(), drawing, Kind::vectors));
    cairo_surface_finish(surface.get());
    SLUICE_CHECK(check(cairo_surface_status(surface.get())));
    return described(renumbered(svg), drawing, provenance);
}

Result<std::string> pdf_of(Drawing const& drawing, Provenance const& provenance) {
    constexpr double point = 0.75;  // pixels of 1/96 inch in points of 1/72
    std::string pdf;
    Surface const surface(
        cairo_pdf_surface_create_for_stream(append, &pdf, point * static_cast<double>(drawing.cols),
                                            point * static_cast<double>(drawing.rows)));
    cairo_surface_set_device_scale(surface.get(), point, point);
    // On one line, as programs show it.
    std::string keywords = save::json_of(provenance);
    std::ranges::replace(keywords, '\n', ' ');
    cairo_pdf_surface_set_metadata(surface.get(), CAIRO_PDF_METADATA_KEYWORDS, keywords.c_str());
    cairo_pdf_surface_set_metadata(surface.get(), CAIRO_PDF_METADATA_CREATOR, "sluice");
    cairo_pdf_surface_set_metadata(surface.get(), CAIRO_PDF_METADATA_CREATE_DATE, "");
    SLUICE_CHECK(draw_onto(surface.get(), drawing, Kind::vectors));
    cairo_surface_finish(surface.get());
    SLUICE_CHECK(check(cairo_surface_status(surface.get())));
    return pdf;
}

Status check_ending(std::string const& path) {
    for (char const* const ending : {".png", ".svg", ".pdf"})
        if (path.ends_with(ending)) return {};
    return Error{Code::invalid_argument,
                 "has no ending that says how to draw it; end it in .png, .svg or .pdf", path};
}

Status save_drawing(std::string const& path, Drawing const& drawing, Provenance const& provenance) {
    SLUICE_CHECK(check_ending(path));
    if (path.ends_with(".png")) {
        SLUICE_TRY(Picture const picture, picture_of(drawing));
        return save_png(path, picture, provenance);
    }
    if (path.ends_with(".svg")) {
        SLUICE_TRY(std::string const svg, svg_of(drawing, provenance));
        return save_text(path, svg);
    }
    SLUICE_TRY(std::string const pdf, pdf_of(drawing, provenance));
    return save_text(path, pdf);
}

}  // namespace sluice::figure
