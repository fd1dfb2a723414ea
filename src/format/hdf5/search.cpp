// Looking for datasets.
// SPDX-License-Identifier: Apache-2.0
#include "format/hdf5/search.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "format/hdf5/frames.h"

namespace sluice::hdf5 {
namespace {

namespace fs = std::filesystem;

struct FoundDataset {
    std::string path;
    std::vector<std::uint64_t> extent = {};
    bool frames = false;  ///< 3-D or 4-D and of numbers
};

// A file with more is a data base, for which --dataset is quicker.
constexpr std::size_t most_links = 100000;
constexpr int deepest_group = 64;

class Search {
  public:
    std::vector<FoundDataset> found;
    std::vector<std::string> unreadable;

    void group(hid_t file, std::string const& path, int depth) {
        for (std::string const& name : link_names(file, path.empty() ? "/" : path)) {
            if (++links_ > most_links) return;
            std::string const here = path + "/" + name;
            Handle const object = open_object(file, here);
            // Hard links form rings, and give one dataset several names.
            if (!object) unreadable.push_back(here);
            if (!object || !known_.insert(identity_of(object.id())).second) continue;
            if (is_dataset(object)) add(object, here);
            if (is_group(object) && depth < deepest_group) group(file, here, depth + 1);
        }
    }

  private:
    void add(Handle const& object, std::string const& path) {
        Handle const type(H5Dget_type(object.id()), H5Tclose);
        H5T_class_t const kind = H5Tget_class(type.id());
        auto extent = extent_of(object);
        bool const frames = (kind == H5T_INTEGER || kind == H5T_FLOAT || kind == H5T_ENUM) &&
                            (extent.size() == 3 || extent.size() == 4);
        found.push_back({path, std::move(extent), frames});
    }

    std::size_t links_ = 0;
    std::set<std::pair<std::uint64_t, std::uint64_t>> known_;
};

std::string texts(std::vector<FoundDataset> const& found, bool frames) {
    std::vector<std::string> list;
    for (FoundDataset const& d : found)
        if (d.frames || !frames)
            list.push_back(fmt::format("{} ({})", d.path, shape_text(d.extent)));
    return list.empty() ? "nothing" : listed(list);
}

std::string unreadable_text(std::vector<std::string> const& paths) {
    return paths.empty() ? ""
                         : fmt::format(", and what is not readable: {} ({})", listed(paths),
                                       unreadable_because());
}

/// The name a user who opened the companion file meant.
std::string master_of(hid_t file, std::string const& name) {
    if (!has_link(file, "/STEM Metadata")) return {};
    fs::path master(name);
    master.replace_filename(master.stem().string() + "_master.h5");
    std::error_code e;
    return fs::exists(master, e) ? master.string() : "the _master.h5 file of the acquisition";
}

}  // namespace

Result<std::string> only_frames(hid_t file, std::string const& name) {
    LibraryLock lock;
    Search search;
    search.group(file, "", 0);
    auto const& found = search.found;
    auto const n =
        std::count_if(found.begin(), found.end(), [](auto const& d) { return d.frames; });
    if (n == 1)
        return std::find_if(found.begin(), found.end(), [](auto const& d) { return d.frames; })
            ->path;
    if (n > 1)
        return Error{Code::invalid_argument,
                     fmt::format("holds {} datasets that may be frames; choose one with --dataset "
                                 "PATH: {}",
                                 n, texts(found, true)),
                     name};
    std::string const master = master_of(file, name);
    if (!master.empty())
        return Error{Code::invalid_argument,
                     "holds only the metadata of a scan; open " + master + " instead", name};
    return Error{
        Code::not_found,
        fmt::format("has no dataset of frames (3 or 4 dimensions of numbers); it holds {}{}",
                    texts(found, false), unreadable_text(search.unreadable)),
        name};
}

}  // namespace sluice::hdf5
