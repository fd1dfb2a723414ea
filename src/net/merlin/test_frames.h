// Frames as Merlin sends them, for tests: any header, and any pixels.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <string>

#include "net/merlin/messages.h"

namespace sluice::net::merlin {

struct MadeFrame {
    index width = 6, height = 4;
    std::string type = "R64", layout = "1x1";
    int depth = 12, chips = 1;
    std::uint64_t sequence = 7;
    char pixel = '\0';           ///< every byte of the pixels
    std::string extension = {};  ///< instead of that of MQ1A
};

inline std::string message(std::string const& payload) {
    return prefix_of(payload.size()) + payload;
}

inline std::string message(MadeFrame const& f) {
    std::string const extension =
        !f.extension.empty()
            ? f.extension
            : fmt::format("MQ1A,2020-05-18T16:51:49.971626178Z,555000ns,{},", f.depth);
    std::string text = fmt::format(
        "MQ1,{:06},00384,{:02},{:04},{:04},{},{:>6},01,2020-05-18 16:51:49.971626,0.000555,0,0,0,"
        "1.200000E+2,5.110000E+2,{}",
        f.sequence, f.chips, f.width, f.height, f.type, f.layout, extension);
    text.resize(384, '\0');
    index bits = f.depth == 1 ? 1 : f.depth == 6 ? 8 : 16;
    if (f.type != "R64") bits = std::stoi(f.type.substr(1));
    text.resize(384 + static_cast<std::size_t>(f.width * f.height * bits / 8), f.pixel);
    return message(text);
}

}  // namespace sluice::net::merlin
