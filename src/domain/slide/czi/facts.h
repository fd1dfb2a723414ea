// What a CZI file says of itself, in the words of slides.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include "sluice/czi.h"

namespace sluice::slide {

/// A name, or the number that has none: "unknown 77".
template <class Number>
std::string named(Number number) {
    std::string_view const name = name_of(number);
    return name.empty() ? fmt::format("unknown {}", static_cast<int>(number)) : std::string(name);
}

/// Entries of the directory are counted, which may have several tiles.
SlideFacts facts_of(czi::File const& file);

/// Of that one of the file's attachments that has them; empty where none has.
Result<std::vector<double>> time_stamps_of(czi::File const& file,
                                           std::span<Attachment const> attachments);

}  // namespace sluice::slide
