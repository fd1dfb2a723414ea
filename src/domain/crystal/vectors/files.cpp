// save_vectors and load_vectors: the format by the end of the path, or by the first bytes.
// SPDX-License-Identifier: Apache-2.0
#include "domain/crystal/vectors/files.h"

#include <fmt/format.h>

#include <filesystem>

#include "format/kinds/kinds.h"

namespace sluice::stem4d {

Status save_vectors(std::string const& path, BraggVectors const& vectors,
                    Provenance const& provenance) {
    SLUICE_CHECK(check_vectors(vectors));
    std::string const end = std::filesystem::path(path).extension();
    if (end == ".npy") return crystal::save_npy(path, vectors);
    if (end == ".csv") return crystal::save_csv(path, vectors);
    if (end == ".h5" || end == ".hdf5" || end == ".emd")
        return crystal::save_emd(path, vectors, provenance);
    return Error{Code::invalid_argument,
                 fmt::format("cannot save Bragg vectors as '{}' (the end of the name says the "
                             "format) end it with .h5, .npy or .csv",
                             end),
                 path};
}

Result<BraggVectors> load_vectors(std::string const& path, std::string const& node) {
    Look const look(path);
    if (!look.readable()) return look.readable().error();
    if (kind_of(look) == &kinds::vectors && look.begins("\x93NUMPY")) {
        if (node.empty()) return crystal::load_npy(path);
        return Error{Code::invalid_argument,
                     fmt::format("the node '{}' (an NPY file has none) leave it out", node), path};
    }
    if (look.hdf5()) return crystal::load_emd(path, node);
    return no_such_kind(look, kinds::vectors);
}

}  // namespace sluice::stem4d
