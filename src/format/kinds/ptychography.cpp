// Files of ptychography: reconstructions, checkpoints, patterns.
// SPDX-License-Identifier: Apache-2.0
#include "format/kinds/ptychography.h"

#include <algorithm>
#include <filesystem>

#include "format/hdf5/object/value.h"
#include "format/kinds/kinds.h"
#include "format/npy/npz.h"

namespace sluice {
namespace {

bool says(Look const& look, PtychographyFile what) {
    auto const& root = look.hdf5();
    if (!root) return false;
    auto const found = ptychography_file(*root);
    return found && *found == what;
}

// A folder of acquisitions may also be one that results were written to.
bool has_only_results(std::string const& folder) {
    namespace fs = std::filesystem;
    bool found = false;
    std::error_code failed;
    fs::directory_iterator entry(folder, failed);
    for (; !failed && entry != fs::directory_iterator(); entry.increment(failed)) {
        std::string const path = entry->path().string();
        std::error_code ignored;
        if (path.ends_with("_master.h5")) return false;
        if (!found && path.ends_with(".h5") && entry->is_regular_file(ignored))
            found = says(Look(path), PtychographyFile::result);
    }
    return found;
}

bool is_reconstruction(Look const& look) {
    if (!look.is_folder()) return says(look, PtychographyFile::result);
    return has_only_results(look.path());
}

bool is_checkpoint(Look const& look) {
    return says(look, PtychographyFile::checkpoint);
}

// An archive that can be read, and whose patterns have no positions: it may be a scan.
bool has_no_positions(std::string const& path) {
    auto const file = open_source(path);
    if (!file) return false;
    auto const npz = npy::Npz::open(*file);
    if (!npz) return false;
    auto const names = npz->names();
    return std::ranges::find(names, "scan") == names.end() &&
           std::ranges::find(names, "positions") == names.end();
}

// Checkpoints of PyTorch and packed folders are ZIP archives, too.
bool has_patterns(Look const& look) {
    auto const form = pattern_form(look);
    if (form && *form == PatternForm::npz)
        return look.ending() == ".npz" && !has_no_positions(look.path());
    return form.has_value();
}

}  // namespace

Result<PtychographyFile> ptychography_file(hdf5::object::Object const& root) {
    SLUICE_TRY(auto const kind, hdf5::object::attribute_text(root, "kind"));
    if (kind)
        return *kind == result_kind       ? PtychographyFile::result
               : *kind == checkpoint_kind ? PtychographyFile::checkpoint
                                          : PtychographyFile::other;
    // The first ones did not say it.
    for (char const* const name : {"object", "probe", "mode_powers", "rounds/r_intensity"}) {
        SLUICE_TRY(auto const found, root.find(name));
        if (!found || !found->is_dataset()) return PtychographyFile::other;
    }
    return PtychographyFile::result;
}

std::optional<PatternForm> pattern_form(Look const& look) {
    if (look.begins("PK\3\4")) return PatternForm::npz;
    auto const& root = look.hdf5();
    if (!root) return {};
    auto const has = [&](char const* name) {
        auto const found = root->find(name);
        return found && found->has_value();
    };
    if (has("chunks") && has("meta")) return PatternForm::ptyd;
    for (char const* const place :
         {"entry_1/sample_1/geometry_1/translation", "entry_1/data_1/translation",
          "entry_1/instrument_1/detector_1/translation"})
        if (has(place)) return PatternForm::cxi;
    return {};
}

constinit ContentKind const kinds::reconstruction{
    "reconstruction", "ptychographic reconstruction", "HDF5",
    "`sluice info` and `sluice view` read it, and `sluice stem4d ptychography --start`",
    is_reconstruction};
constinit ContentKind const kinds::checkpoint{"checkpoint", "checkpoint of ptychography", "HDF5",
                                              "give it to `sluice stem4d ptychography --resume`",
                                              is_checkpoint};
constinit ContentKind const kinds::patterns{"patterns", "file of ptychographic patterns",
                                            "CXI, ptyd, npz",
                                            "`sluice stem4d ptychography` reads it", has_patterns};

}  // namespace sluice
