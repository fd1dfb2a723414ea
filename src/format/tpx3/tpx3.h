// Files of hits that Timepix3 readouts write (TPX3): a scan whose frames are made of hits by their
// times, as streams of them are.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "format/table.h"
#include "format/tpx3/words.h"

namespace sluice::tpx3 {

/// By their first bytes, TPX3, or their ending.
bool recognises(std::string_view path, Bytes head);
Result<Dataset> open(std::string const& path, OpenOptions const& options);

inline constexpr config::Field<OpenOptions> fields[] = {
    format_field<&Tpx3Options::line_edge>("line_edge",
                                          "of Timepix3: the signal that begins a line of the scan"),
    format_field<&Tpx3Options::one_edge>("one_edge",
                                         "of Timepix3: the first such signal begins the whole scan "
                                         "(--point-s says the rest)"),
    format_field<&Tpx3Options::point_s>("point_s",
                                        "of Timepix3: seconds of a point; 0: the points of a line "
                                        "divide its time",
                                        config::between(0, 1e4)),
    format_field<&Tpx3Options::window_s>("window_s",
                                         "of Timepix3: seconds by which hits come later than they "
                                         "were",
                                         config::between(0, 1)),
    format_field<&Tpx3Options::chip_layout>(
        "chip_layout",
        "of Timepix3 with several chips: where each lies, CHIP:ROW:COL of its upper left corner, "
        "and :180 where it is turned, separated by commas [one chip, whatever its number]"),
    format_field<&Tpx3Options::tpx3_flyback>(
        "tpx3_flyback", "files of Timepix3: images after each line that belong to no point"),
};
inline constexpr Format format{.name = "tpx3",
                               .title = "hits (TPX3) of Timepix3 readouts",
                               .recognises = recognises,
                               .open = open,
                               .fields = fields};

}  // namespace sluice::tpx3
