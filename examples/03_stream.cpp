// The same calls on a scan that is never loaded: for data larger than memory.
// SPDX-License-Identifier: Apache-2.0
#include <cstdio>

#include "sluice/sluice.h"

int main() {
    using namespace sluice;
    LoadOptions options;
    options.residency = Residency::stream;
    Scan const scan =
        Scan::load(open("synthetic:stem4d?scan=32x32&detector=96x96").value(), options).value();
    auto const mean = stem4d::diffraction_pattern(scan, stem4d::Pattern::mean).value();
    auto const disk = stem4d::find_disk(mean.values).value();
    std::printf("disk at row %.2f, column %.2f, radius %.2f pixels\n", disk.center.row,
                disk.center.col, disk.radius);
    return 0;
}
