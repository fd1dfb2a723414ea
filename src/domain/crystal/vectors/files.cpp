// save_vectors and load_vectors: the format by the end of the path, or by the first bytes.
// SPDX-License-Identifier: Apache-2.0
#include "domain/crystal/vectors/files.h"

#include <fmt/format.h>

#include <filesystem>

#include "format/kinds/kinds.h"

namespace sluice::crystal {
namespace {

enum class Format : std::uint8_t { none, npy, csv, emd };

Format format_of(std::string const& path) {
    std::string const end = std::filesystem::path(path).extension();
    if (end == ".npy") return Format::npy;
    if (end == ".csv") return Format::csv;
    return end == ".h5" || end == ".hdf5" || end == ".emd" ? Format::emd : Format::none;
}

}  // namespace

Status check_name(std::string const& path) {
    if (format_of(path) != Format::none) return {};
    return Error{Code::invalid_argument,
                 fmt::format("cannot save Bragg vectors as '{}' (the end of the name says the "
                             "format) end it with .h5, .npy or .csv",
                             std::filesystem::path(path).extension().string()),
                 path};
}

Status save_columns(std::string const& path, ColumnSource& vectors, Provenance const& about) {
    switch (format_of(path)) {
        case Format::npy:
            return save_npy(path, vectors);
        case Format::csv:
            return save_csv(path, vectors);
        case Format::emd:
            return save_emd(path, vectors, about);
        case Format::none:
            break;
    }
    return check_name(path);
}

}  // namespace sluice::crystal

namespace sluice::stem4d {

Status save_vectors(std::string const& path, BraggVectors const& vectors,
                    Provenance const& provenance) {
    SLUICE_CHECK(check_vectors(vectors));
    crystal::VectorsInMemory source(vectors);
    return crystal::save_columns(path, source, provenance);
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
