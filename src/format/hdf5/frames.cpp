// The frames of one dataset as parts.
// SPDX-License-Identifier: Apache-2.0
#include "format/hdf5/frames.h"

#include <fmt/format.h>

#include <filesystem>

#include "format/hdf5/virtual.h"

namespace sluice::hdf5 {
namespace {

namespace fs = std::filesystem;

Result<FrameParts> from_runs(std::vector<VirtualRun> const& runs, Opening& opening) {
    FrameParts out;
    for (VirtualRun const& run : runs) {
        SLUICE_TRY(StoredDataset const source, describe(run.file, run.path));
        Selection s = run.selection;
        index const left = source.frames() - s.first;
        index const there = left <= 0 ? 0 : (left + s.stride - 1) / s.stride;
        if (there < s.count)
            add_note(opening.notes, fmt::format("{} holds {} of the {} frames that the master "
                                                "expects of it; the others read as zeros",
                                                run.file, there, s.count));
        s.count = std::min(s.count, there);
        if (s.count == 0) continue;
        SLUICE_TRY(auto part, make_part(source, s, opening.pools, opening.notes));
        out.parts.push_back({run.first, s.count, std::move(part)});
        out.present = run.first + s.count;
        add_note(opening.files, run.file);
    }
    return out;
}

}  // namespace

Result<FrameParts> frames_of(StoredDataset const& d, Selection selection, Opening& opening) {
    LibraryLock lock;
    if (d.storage == Storage::mapped) {
        SLUICE_TRY(auto runs, virtual_runs(d, selection, opening));
        if (runs) return from_runs(*runs, opening);
    }
    SLUICE_TRY(auto part, make_part(d, selection, opening.pools, opening.notes));
    FrameParts out;
    out.parts.push_back({0, selection.count, std::move(part)});
    out.present = selection.count;
    return out;
}

std::string folder_of(std::string const& path) {
    std::string const folder = fs::path(path).parent_path().string();
    return folder.empty() ? "." : folder;
}

std::string find_beside(std::string const& folder, std::string const& name) {
    std::error_code e;
    // An absolute name replaces the folder.
    for (fs::path const& p :
         {fs::path(folder) / name, fs::path(folder) / fs::path(name).filename()})
        if (fs::is_regular_file(p, e)) return p.lexically_normal().string();
    return {};
}

std::string listed(std::vector<std::string> const& names, std::size_t most) {
    std::string text;
    for (std::size_t i = 0; i < std::min(names.size(), most); ++i)
        text += (i == 0 ? "" : ", ") + names[i];
    if (names.size() > most) text += fmt::format(" and {} more", names.size() - most);
    return text;
}

}  // namespace sluice::hdf5
