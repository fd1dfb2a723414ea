// Which options say how a stream is heard, and which scan its images make.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/live/stream_options.h"

#include "format/npy/plane.h"
#include "net/fields.h"

namespace sluice::cli {

bool is_stream(std::string const& path) {
    return path.starts_with("tcp://") || path.starts_with("ipc://");
}

void StreamWords::add(Verb const& app, std::string const& of,
                      std::span<std::string_view const> known) {
    app.add_word("--order", live.order, of + "in which the points of the scan are visited");
    app.add_option("--flyback", live.flyback, of + "images after each row that belong to no point")
        ->check(in_range(0, 1000000))
        ->capture_default_str();
    app.add_option("--positions", positions,
                   of + "NPY file [image][row, column] of points, instead of --order and "
                        "--flyback");
    for (auto const& field : net::stream_fields())
        if (std::ranges::find(known, option_of(field, live.stream).name) == known.end())
            app.add_field(field, live.stream);
    app.add_option("--reorder", live.reorder,
                   of + "an image so many numbers behind the newest one is lost")
        ->check(in_range(1, 100000000))
        ->capture_default_str();
    app.add_option("--reorder-s", live.reorder_s,
                   of + "so is one that two later images have waited for so many seconds; 0: only "
                        "numbers count")
        ->check(in_range(0, 1000))
        ->capture_default_str();
}

std::vector<std::string> StreamWords::names() {
    std::vector<std::string> names = {"--order", "--flyback", "--positions", "--reorder",
                                      "--reorder-s"};
    StreamOptions const usual;
    for (auto const& field : net::stream_fields()) names.push_back(option_of(field, usual).name);
    return names;
}

Result<stem4d::LiveOptions> StreamWords::read() const {
    stem4d::LiveOptions out = live;
    if (!positions.empty()) {
        SLUICE_TRY(out.positions, npy::load_plane(positions));
        out.positions_file = positions;
    }
    return out;
}

}  // namespace sluice::cli
