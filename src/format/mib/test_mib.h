// MIB files for tests: any header, and a pixel value per frame.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <string>

#include "sluice/view.h"

namespace sluice::mib {

struct MadeFrame {
    std::uint64_t sequence = 1;
    index width = 6, height = 4;
    std::string type = "U16", layout = "1x1";
    int depth = 12, chips = 1;
};

/// Every byte of its pixels is its number.
inline std::string made(MadeFrame const& f) {
    std::size_t const size = f.chips == 4 ? 768 : 384;
    std::string text = fmt::format(
        "MQ1,{:06},{:05},{:02},{:04},{:04},{},{:>6},01,2020-05-18 16:51:49.971626,0.000555,0,0,0,"
        "1.200000E+2,5.110000E+2,MQ1A,2020-05-18T16:51:49.971626178Z,555000ns,{},",
        f.sequence, size, f.chips, f.width, f.height, f.type, f.layout, f.depth);
    text.resize(size, '\0');
    index bits = f.depth == 1 ? 1 : f.depth == 6 ? 8 : 16;
    if (f.type != "R64") bits = std::stoi(f.type.substr(1));
    text.resize(size + static_cast<std::size_t>(f.width * f.height * bits / 8),
                static_cast<char>(f.sequence));
    return text;
}

inline std::string made(std::uint64_t first, std::uint64_t last, MadeFrame f = {}) {
    std::string all;
    for (f.sequence = first; f.sequence <= last; ++f.sequence) all += made(f);
    return all;
}

inline std::string made_hdr(index frames, index per_trigger) {
    return fmt::format(
        "HDR,\t\nFrames in Acquisition (Number):\t{}\nFrames per Trigger (Number):\t{}\nEnd\t",
        frames, per_trigger);
}

}  // namespace sluice::mib
