// The header's facts of a CZI file, in the words of slides.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include "sluice/czi.h"

namespace sluice::slide {

/// A name, or an unknown number: "unknown 77".
template <class Number>
std::string named(Number number) {
    std::string_view const name = name_of(number);
    return name.empty() ? fmt::format("unknown {}", static_cast<int>(number)) : std::string(name);
}

/// Entries of the directory are counted, which may have several tiles.
SlideFacts facts_of(czi::File const& file);

/// From that one of the file's attachments that has them; empty without such an attachment.
Result<std::vector<double>> time_stamps_of(czi::File const& file,
                                           std::span<Attachment const> attachments);

}  // namespace sluice::slide
