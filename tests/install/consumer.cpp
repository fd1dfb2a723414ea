// What somebody writes who has installed Sluice: a bright field of a simulated scan.
// SPDX-License-Identifier: Apache-2.0
#include <sluice/sluice.h>

#include <array>
#include <cstdio>

int main() {
    using namespace sluice;
    auto dataset = open("synthetic:stem4d?scan=8x6&detector=24x20&dose=300");
    if (!dataset) return 1;
    auto const scan = Scan::load(std::move(*dataset));
    if (!scan) return 2;
    auto const image =
        stem4d::virtual_image(*scan, std::array{stem4d::parse_detector("bf").value()});
    if (!image) return 3;
    std::printf("%zu values\n", image->values.values.size());
    return 0;
}
