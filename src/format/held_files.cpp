// Files that stay open from one look at a growing acquisition to the next.
// SPDX-License-Identifier: Apache-2.0
#include "format/held_files.h"

namespace sluice {

Result<HeldFile*> HeldFiles::open(std::string const& path) {
    auto const kept = files_.find(path);
    if (kept != files_.end()) return &kept->second;
    SLUICE_TRY(File file, File::open(path));
    ++opened_;
    HeldFile& one = files_[path];
    one.file = std::make_shared<File const>(std::move(file));
    one.size = one.file->size();
    one.opened = now_;
    return &one;
}

HeldFile const* HeldFiles::find(std::string const& path) const {
    auto const kept = files_.find(path);
    return kept == files_.end() ? nullptr : &kept->second;
}

}  // namespace sluice
