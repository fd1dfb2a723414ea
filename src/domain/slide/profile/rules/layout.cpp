// How the file is laid out: overlaps, order, directory, pyramid, and tiles under others.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "domain/slide/profile/rules/rule.h"
#include "domain/slide/profile/rules/words.h"

namespace sluice::slide::rule {

std::optional<Finding> amplification(Facts const& f) {
    if (f.amplification < 1.5) return {};
    return Finding{
        "amplification",
        fmt::format("Tiles overlap: a reader that asks for each tile's rectangle, as read_mosaic "
                    "per tile does, decodes {:.1f} tiles for one.",
                    f.amplification),
        "Read the region in one call, single tiles by their number (slide read --tiles), or give "
        "the reads a cache of tiles."};
}

std::optional<Finding> order(Facts const& f) {
    if (f.tiles < many_tiles || f.seek_directory < 4 * f.seek_file || f.bytes_read <= 0 ||
        f.seek_directory < f.bytes_read)
        return {};
    return Finding{"order",
                   fmt::format("In the order of the directory a reader jumps over {:.3g} MB, in "
                               "the order of the file over {:.3g} MB.",
                               f.seek_directory / 1e6, f.seek_file / 1e6),
                   "Read tiles in the order of the file, as slide read and slide convert do."};
}

std::optional<Finding> opening(Facts const& f) {
    ReadFacts const* const best = fastest(f);
    if (!best || f.open_s < 0.2 * best->wall_s) return {};
    return Finding{
        "opening",
        fmt::format("Opening takes {} for {} directory entries, as long as {:.3g} "
                    "of these reads.",
                    duration(f.open_s), f.entries, f.open_s / best->wall_s),
        "Open the file once and keep it open between reads.",
        fmt::format("likely: {} and {}; opened once", duration(f.open_s), duration(best->wall_s))};
}

std::optional<Finding> flat(Facts const& f) {
    if (f.levels > 1 || f.tiles_in_region < 2 * many_tiles || f.codec != "JPEG XR" ||
        f.decode < large_share)
        return {};
    return Finding{
        "no pyramid", "The file has no pyramid: an overview decodes every tile in full.",
        "For overviews use slide read --zoom Z --reduced, which decodes the coarse bands "
        "only."};
}

std::optional<Finding> hidden(Facts const& f) {
    if (f.hidden == 0) return {};
    return Finding{"hidden",
                   fmt::format("{} tiles lie wholly under others and were not decoded.", f.hidden),
                   {}};
}

}  // namespace sluice::slide::rule
