// Previews of disks.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/stem4d/disk_preview.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "app/cli/shell/terminal.h"
#include "app/cli/stem4d/disk_drawing.h"
#include "base/plural.h"
#include "domain/crystal/frame_disks.h"
#include "figure/render.h"
#include "sluice/stem4d_series.h"

namespace sluice::cli {
namespace {

Result<std::array<index, 2>> point_of(std::string const& text) {
    long long row = -1, col = -1;
    char rest = 0;
    if (std::sscanf(text.c_str(), "%lld,%lld%c", &row, &col, &rest) == 2 && row >= 0 && col >= 0)
        return std::array<index, 2>{row, col};
    return Error{
        Code::invalid_argument,
        fmt::format("--preview '{}' is not a point of the scan; write ROW,COL, as in 12,40", text)};
}

}  // namespace

void DiskPreview::add(Verb const& app) {
    app.add_value({.name = "--preview",
                   .what = "find the disks of this pattern only, draw them on it, and end; again "
                           "for further patterns",
                   .type = "ROW,COL",
                   .several = true,
                   .between = ';',
                   .read = [this](std::string const& text) -> Status {
                       points.clear();
                       for (std::size_t at = 0; at <= text.size();) {
                           std::size_t const end = std::min(text.find(';', at), text.size());
                           points.push_back(text.substr(at, end - at));
                           SLUICE_CHECK(point_of(points.back()));
                           at = end + 1;
                       }
                       return {};
                   }});
}

Result<std::vector<DiskPreview::Shown>> DiskPreview::show(Scan const& scan,
                                                          stem4d::DiskSetup const& setup,
                                                          Device const& device,
                                                          std::string const& name,
                                                          std::string const& stem) const {
    SLUICE_TRY(auto const finder, crystal::FrameFinder::make(scan, setup, device));
    std::vector<Shown> all;
    for (std::string const& text : points) {
        SLUICE_TRY(auto const point, point_of(text));
        SLUICE_TRY(auto const at, stem4d::loaded_point(scan, point[0], point[1]));
        Shown shown{.point = fmt::format("{},{}", point[0], point[1]),
                    .file = fmt::format("{}.preview-{}-{}.png", stem, point[0], point[1])};
        SLUICE_TRY(shown.found, finder.find(scan, at[0], at[1]));
        SLUICE_TRY(auto const pattern, stem4d::frame(scan, at[0], at[1]));
        shown.drawing =
            draw_disks(pattern, stem4d::pixel_grid(scan), setup, at, shown.found,
                       {fmt::format("Pattern {} of {}", shown.point, name), words_of(shown)});
        all.push_back(std::move(shown));
    }
    return all;
}

std::string words_of(DiskPreview::Shown const& shown) {
    auto const& v = shown.found;
    if (v.size() > 0) return plural(v.size(), "disk");
    return fmt::format("no disks: {}", stem4d::name_of(v.reason.front()));
}

Status finish_preview(std::vector<DiskPreview::Shown> const& all,
                      std::vector<std::string> const& why, bool json) {
    Json j{{"why", why}, {"previews", Json::array()}};
    for (DiskPreview::Shown const& shown : all) {
        SLUICE_CHECK(figure::save_drawing(shown.file, shown.drawing, {}));
        j["previews"].push_back({{"point", shown.point},
                                 {"disks", shown.found.size()},
                                 {"reason", stem4d::name_of(shown.found.reason.front())},
                                 {"file", shown.file}});
    }
    if (json) {
        say("{}\n", text_of(j));
        return {};
    }
    for (DiskPreview::Shown const& shown : all)
        print_line(fmt::format("pattern {}", shown.point), words_of(shown));
    for (std::string const& sentence : why) say("decided: {}\n", sentence);
    for (DiskPreview::Shown const& shown : all) say("{}\n", shown.file);
    return {};
}

}  // namespace sluice::cli
