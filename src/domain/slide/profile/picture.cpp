// The order of a slide's tiles in its file, drawn as SVG.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "domain/slide/profile/order.h"
#include "figure/colormap.h"

namespace sluice::slide {
namespace {

constexpr double panel = 420, margin = 24, title = 58, legend = 44;
// More lines than this are a grey area, and no path.
constexpr std::size_t most_steps = 3000;

std::string colour_of(double t) {
    static figure::Colormap const map(figure::Map::meadow);
    auto const c = map(0.08 + 0.92 * t);
    return fmt::format("#{:02x}{:02x}{:02x}", c.r, c.g, c.b);
}

struct Frame {
    Rect extent;
    double left = 0, scale = 1;
    double x(double v) const { return left + (v - static_cast<double>(extent.x)) * scale; }
    double y(double v) const { return title + (v - static_cast<double>(extent.y)) * scale; }
};

double middle(index from, index length) {
    return static_cast<double>(from) + static_cast<double>(length) / 2;
}

std::string text(double x, double y, std::string const& words, char const* style = "") {
    return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" {}>{}</text>\n", x, y, style, words);
}

std::string rectangles(Slide const& slide, std::vector<std::int32_t> const& in_file,
                       Frame const& f) {
    std::string out;
    for (std::size_t i = 0; i < in_file.size(); ++i) {
        Rect const& r = slide.tiles()[static_cast<std::size_t>(in_file[i])].rect;
        double const t = in_file.size() > 1
                             ? static_cast<double>(i) / static_cast<double>(in_file.size() - 1)
                             : 0;
        out += fmt::format(
            "<rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\" fill=\"{}\" "
            "fill-opacity=\"0.8\" stroke=\"#fff\" stroke-width=\"0.6\"><title>tile {}: {} of {} in "
            "the file, X {} Y {}</title></rect>\n",
            f.x(static_cast<double>(r.x)), f.y(static_cast<double>(r.y)),
            static_cast<double>(r.width) * f.scale, static_cast<double>(r.height) * f.scale,
            colour_of(t), in_file[i], i + 1, in_file.size(), r.x, r.y);
    }
    return out;
}

std::string path(Slide const& slide, std::vector<std::int32_t> const& order, Frame const& f) {
    if (order.size() < 2 || order.size() > most_steps) return {};
    std::string points;
    for (std::int32_t const t : order) {
        Rect const& r = slide.tiles()[static_cast<std::size_t>(t)].rect;
        points +=
            fmt::format("{:.1f},{:.1f} ", f.x(middle(r.x, r.width)), f.y(middle(r.y, r.height)));
    }
    points.pop_back();
    double const x = f.x(middle(slide.tiles()[static_cast<std::size_t>(order[0])].rect.x,
                                slide.tiles()[static_cast<std::size_t>(order[0])].rect.width));
    double const y = f.y(middle(slide.tiles()[static_cast<std::size_t>(order[0])].rect.y,
                                slide.tiles()[static_cast<std::size_t>(order[0])].rect.height));
    return fmt::format(
        "<polyline points=\"{}\" fill=\"none\" stroke=\"#111\" stroke-width=\"1.2\" "
        "stroke-linejoin=\"round\" stroke-opacity=\"0.75\"/>\n<circle cx=\"{:.1f}\" cy=\"{:.1f}\" "
        "r=\"4\" fill=\"#111\"/>\n",
        points, x, y);
}

std::string bar(double left, double top, std::size_t tiles) {
    constexpr int steps = 48;
    std::string out;
    double const width = 200.0 / steps;
    for (int i = 0; i < steps; ++i)
        out += fmt::format(
            "<rect x=\"{:.2f}\" y=\"{:.1f}\" width=\"{:.2f}\" height=\"10\" fill=\"{}\"/>\n",
            left + i * width, top, width + 0.3, colour_of(static_cast<double>(i) / (steps - 1)));
    out += text(left, top + 24, "first in the file", "class=\"small\"");
    out += text(left + 200, top + 24, fmt::format("last of {}", tiles),
                "class=\"small\" text-anchor=\"end\"");
    return out;
}

std::string size_text(std::uint64_t bytes) {
    auto const b = static_cast<double>(bytes);
    return bytes >= 1000000 ? fmt::format("{:.1f} MB", b / 1e6) : fmt::format("{:.1f} kB", b / 1e3);
}

std::string jumps(SeekStats const& s) {
    return fmt::format("jumps {} in all, {} at most, {} backwards", size_text(s.total),
                       size_text(s.largest), s.backwards);
}

SeekStats const& seeks_in(Profile const& p, std::string_view order) {
    return *std::find_if(p.seeks.begin(), p.seeks.end(),
                         [&](SeekStats const& s) { return s.order == order; });
}

}  // namespace

std::string order_svg(Slide const& slide, Profile const& p) {
    Rect extent = slide.tiles()[static_cast<std::size_t>(p.tiles.at(0))].rect;
    for (std::int32_t const t : p.tiles) {
        Rect const& r = slide.tiles()[static_cast<std::size_t>(t)].rect;
        index const right = std::max(extent.x + extent.width, r.x + r.width);
        index const bottom = std::max(extent.y + extent.height, r.y + r.height);
        extent.x = std::min(extent.x, r.x);
        extent.y = std::min(extent.y, r.y);
        extent.width = right - extent.x;
        extent.height = bottom - extent.y;
    }
    double const scale =
        panel / static_cast<double>(std::max<index>(1, std::max(extent.width, extent.height)));
    double const width = std::max(static_cast<double>(extent.width) * scale, 330.0);
    double const bottom = title + static_cast<double>(extent.height) * scale;
    // Beside the order of the file, that of the two others which jumps further.
    bool const by_m = seeks_in(p, "drawing").total > seeks_in(p, "directory").total;
    std::vector<std::int32_t> other = p.tiles;
    std::stable_sort(other.begin(), other.end(), [&](std::int32_t a, std::int32_t b) {
        Tile const& s = slide.tiles()[static_cast<std::size_t>(a)];
        Tile const& t = slide.tiles()[static_cast<std::size_t>(b)];
        return by_m ? s.order < t.order : s.entry < t.entry;
    });
    std::string out = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" "
        "viewBox=\"0 0 {0:.0f} {1:.0f}\">\n<style>text{{font:14px sans-serif;fill:#222}}"
        ".small{{font-size:12px;fill:#555}}</style>\n<rect width=\"100%\" height=\"100%\" "
        "fill=\"#fff\"/>\n",
        3 * margin + 2 * width, bottom + legend + margin);
    struct Panel {
        std::string name;
        SeekStats const& seeks;
        std::vector<std::int32_t> const& tiles;
    };
    Panel const panels[] = {{"read in the order of the file", seeks_in(p, "file"), p.tiles},
                            {by_m ? "read in the order of M" : "read in the order of the directory",
                             seeks_in(p, by_m ? "drawing" : "directory"), other}};
    for (std::size_t i = 0; i < 2; ++i) {
        Frame const f{extent, margin + static_cast<double>(i) * (width + margin), scale};
        out += text(f.left, 26, panels[i].name);
        out += text(f.left, 45, jumps(panels[i].seeks), "class=\"small\"");
        out += rectangles(slide, p.tiles, f);
        out += path(slide, panels[i].tiles, f);
    }
    return out + bar(margin, bottom + 14, p.tiles.size()) + "</svg>\n";
}

}  // namespace sluice::slide
