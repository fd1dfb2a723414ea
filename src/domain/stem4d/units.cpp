// What the numbers of a scan are.
// SPDX-License-Identifier: Apache-2.0
#include "sluice/stem4d.h"
#include "store/plan.h"

namespace sluice::stem4d {
namespace {

bool has_means(Scan const& scan) {
    return scan.plan().mode == BinMode::mean && scan.plan().det_bin > 1;
}

}  // namespace

std::string pixel_unit(Scan const& scan) {
    return has_means(scan) ? "counts/pixel" : "counts";
}

std::string sum_unit(Scan const& scan) {
    return has_means(scan) ? "counts/pixel summed over bins" : "counts";
}

}  // namespace sluice::stem4d
