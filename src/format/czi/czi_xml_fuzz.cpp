// Fuzz target: any bytes as the XML of a CZI file.
// SPDX-License-Identifier: Apache-2.0
#include "sluice/czi.h"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    using namespace sluice;
    auto const found =
        czi::parse_metadata(std::string_view(reinterpret_cast<char const*>(data), size));
    if (!found) return 0;
    expects(found->channels.size() + found->scenes.size() <= size);
    // A comparison that NaN fails, too.
    for (double const um : {found->x_um, found->y_um, found->z_um}) expects(um >= 0);
    for (slide::Channel const& c : found->channels) expects(c.color.empty() || c.color.size() == 6);
    return 0;
}
