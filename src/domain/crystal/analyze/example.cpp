// A configuration to begin with.
// SPDX-License-Identifier: Apache-2.0
#include "sluice/stem4d_analyze.h"

namespace sluice::stem4d {

std::string_view example_analysis() {
    return R"(# sluice stem4d analyze survey.toml --out survey
# A table is a command of `sluice stem4d`, a key is an option of it, with _ for -.
# Files are relative to the folder of this one.

scan = "scan_master.h5"        # the command line may give another
# disk = "96:95.5:20"          # the bright-field disk, instead of measuring it

# [load]                       # what is read of the scan
# det_bin = 2
# stream = true

[virtual_image.bright]         # a name for each of several tables of one kind
detector = "bf"
mean = true

[virtual_image.rings]
detector = ["adf", "far=annulus:r=40..90"]

[diffraction_pattern]          # one table of each kind may have no name
kind = ["mean", "max"]

[center_of_mass]
# within = "disk:r=40"
# rotation = "auto"

# [disks]
# template_radius = "8,1.2"    # else the template is that of the scan's own disk
# least_score = 25
)";
}

}  // namespace sluice::stem4d
