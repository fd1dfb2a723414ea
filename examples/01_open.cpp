// Opens a scan and prints what is known of it.
// SPDX-License-Identifier: Apache-2.0
#include <cstdio>

#include "sluice/sluice.h"

int main() {
    auto const dataset = sluice::open("synthetic:stem4d?scan=16x16&detector=64x64");
    if (!dataset) {
        std::fprintf(stderr, "%s\n", dataset.error().text().c_str());
        return 1;
    }
    std::printf("%lld x %lld scan, %lld x %lld detector\n",
                static_cast<long long>(dataset->scan[0]), static_cast<long long>(dataset->scan[1]),
                static_cast<long long>(dataset->rows), static_cast<long long>(dataset->cols));
    for (auto const& field : dataset->metadata)
        std::printf("%s: %s %s\n", field.name.c_str(), field.value.c_str(), field.unit.c_str());
    return 0;
}
