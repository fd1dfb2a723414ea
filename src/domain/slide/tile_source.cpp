// Answers of a format without attachments and rules.
// SPDX-License-Identifier: Apache-2.0
#include "domain/slide/tile_source.h"

#include <fmt/format.h>

namespace sluice::slide {
namespace {

Error only_czi(TileSource const& source, std::string_view what) {
    return {Code::unsupported,
            fmt::format("there are no {} (only CZI files have them, and this is {})", what,
                        source.format()),
            source.name()};
}

}  // namespace

Result<std::vector<std::byte>> TileSource::read(Attachment const&) const {
    return only_czi(*this, "attachments");
}

Result<std::vector<Violation>> TileSource::check() const {
    return only_czi(*this, "rules to check");
}

}  // namespace sluice::slide
