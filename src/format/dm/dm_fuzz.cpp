// Fuzzes the tags of DM3 and DM4 files, and the images among them.
// SPDX-License-Identifier: Apache-2.0
#include "format/dm/image.h"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    using namespace sluice;
    auto const bytes = std::as_bytes(std::span(data, size));
    auto const tree = dm::Tree::read(memory_source("fuzz", {bytes.begin(), bytes.end()}));
    if (!tree) return 0;
    std::vector<std::string> left_out;
    auto images = dm::find_images(*tree, left_out);
    if (!images) return 0;
    for (dm::Image& image : *images) {
        auto const values = static_cast<std::uint64_t>(image.values());
        expects(image.at + values * static_cast<std::uint64_t>(image.stored.bytes) <= size);
        dm::Axes const axes = dm::axes_of(image);
        expects(image.axes.size() == image.shape.size() && axes.axes.row < image.shape.size());
        Dataset d;
        dm::describe(*tree, image, axes.axes, d);
    }
    return 0;
}
