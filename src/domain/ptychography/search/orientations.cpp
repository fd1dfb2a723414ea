// orientations(): the eight ways in which a detector may lie against its scan.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "domain/ptychography/search/alone.h"
#include "sluice/ptychography_check.h"
#include "sluice/ptychography_search.h"

namespace sluice::stem4d {

Result<std::vector<DetectorOrientation>> orientations(Patterns const& patterns,
                                                      PtychographyOptions const& options) {
    SLUICE_CHECK(check_patterns(patterns));
    SLUICE_CHECK(ptycho::alone(options));
    SLUICE_CHECK(ptycho::begins_anew(options));
    std::vector<DetectorOrientation> all;
    for (int way = 0; way < 8; ++way) {
        DetectorOrientation o{
            .transpose = (way & 4) != 0, .flip_rows = (way & 2) != 0, .flip_cols = (way & 1) != 0};
        Patterns turned = patterns;
        for (Position& p : turned.positions) {
            if (o.transpose) std::swap(p.row, p.col);
            if (o.flip_rows) p.row = -p.row;
            if (o.flip_cols) p.col = -p.col;
        }
        auto these = options;
        if (options.progress)
            these.progress = [&options, way](std::uint64_t done, std::uint64_t of) {
                return options.progress(done + static_cast<std::uint64_t>(way) * of, 8 * of);
            };
        SLUICE_TRY(auto const result, ptychography(std::move(turned), these));
        o.r = result.rounds.back().r;
        SLUICE_TRY(o.phase, lit_phase(result));
        all.push_back(std::move(o));
    }
    std::ranges::stable_sort(all, {}, &DetectorOrientation::r);
    return all;
}

}  // namespace sluice::stem4d
