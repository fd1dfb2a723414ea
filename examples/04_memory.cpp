// An array that the program holds already, as a scan: nothing is copied on the way in.
// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <vector>

#include "sluice/sluice.h"

int main() {
    using namespace sluice;
    auto const frames = std::make_shared<std::vector<std::uint16_t>>(8 * 8 * 32 * 32, 3);
    Dataset const dataset =
        from_memory({.data = frames->data(), .shape = {8, 8, 32, 32}, .owner = frames}).value();
    Scan const scan = Scan::load(dataset).value();
    std::vector<stem4d::Detector> const detectors{
        stem4d::parse_detector("disk:r=2,center=16:16").value()};
    auto const image = stem4d::virtual_image(scan, detectors).value();
    std::printf("%.0f counts at each point\n", image.values.values.front());
    return 0;
}
