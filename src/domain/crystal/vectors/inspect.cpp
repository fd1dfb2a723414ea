// inspect_vectors: the numbers of patterns and disks in a file.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "domain/crystal/vectors/emd_node.h"
#include "domain/crystal/vectors/files.h"
#include "format/kinds/look.h"

namespace sluice::stem4d {

Result<VectorsInfo> inspect_vectors(std::string const& path, std::string const& node) {
    if (!Look(path).hdf5()) {
        SLUICE_TRY(BraggVectors const v, load_vectors(path, node));
        VectorsInfo info{v.scan_shape, v.detector_shape, v.size(), 0, true};
        for (index p = 0; p < v.patterns(); ++p) info.empty_patterns += v.count(p) == 0 ? 1 : 0;
        return info;
    }
    SLUICE_TRY(crystal::EmdNode const emd, crystal::open_emd(path, node));
    SLUICE_TRY(auto const own, emd.object.find(crystal::own_group));
    return VectorsInfo{.scan_shape = emd.scan_shape,
                       .detector_shape = emd.detector_shape,
                       .disks = static_cast<index>(emd.lists.total()),
                       .empty_patterns = std::ranges::count(emd.lists.counts(), 0u),
                       .errors = own.has_value()};
}

}  // namespace sluice::stem4d
