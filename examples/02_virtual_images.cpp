// Two virtual detectors in one pass, and the centre of mass, as files that NumPy reads.
// SPDX-License-Identifier: Apache-2.0
#include "sluice/sluice.h"

int main() {
    using namespace sluice;
    Scan const scan =
        Scan::load(open("synthetic:stem4d?scan=32x32&detector=96x96").value()).value();
    std::vector<stem4d::Detector> detectors;
    for (char const* text : {"bf", "ring=annulus:r=15..40"})
        detectors.push_back(stem4d::parse_detector(text).value());
    auto const images = stem4d::virtual_image(scan, detectors).value();
    auto const com = stem4d::center_of_mass(scan).value();
    save_npy("images.npy", images.values).value();  // [detector][row][col]
    save_npy("com_row.npy", com.row).value();
    return 0;
}
