// Looking for datasets.
// SPDX-License-Identifier: Apache-2.0
#include "format/hdf5/search.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "format/hdf5/frames.h"
#include "format/hdf5/object/dataset.h"

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
    std::vector<Error> unreadable;
    bool too_many = false;  ///< what was not looked at may be the frames

    void group(object::Object const& group, std::string const& path, int depth) {
        auto const links = group.links();
        if (!links) return unreadable.push_back(links.error());
        for (object::Link const& link : *links) {
            if (++links_ > most_links) {
                too_many = true;
                return;
            }
            std::string const here = path + "/" + link.name;
            auto const o = group.follow(link);
            // Hard links form rings, and give one dataset several names.
            if (!o) unreadable.push_back(o.error());
            if (!o || !known_.insert(o->identity()).second) continue;
            if (o->is_dataset()) add(*o, here);
            if (o->is_group() && depth < deepest_group) this->group(*o, here, depth + 1);
        }
    }

  private:
    void add(object::Object const& o, std::string const& path) {
        auto const d = object::dataset_info(o);
        if (!d) return unreadable.push_back(d.error());
        auto const& extent = d->space.extent;
        bool const frames = d->type.numeric() && (extent.size() == 3 || extent.size() == 4);
        found.push_back({path, extent, frames});
    }

    std::size_t links_ = 0;
    std::set<std::pair<std::string, std::uint64_t>> known_;
};

std::string texts(std::vector<FoundDataset> const& found, bool frames) {
    std::vector<std::string> list;
    for (FoundDataset const& d : found)
        if (d.frames || !frames)
            list.push_back(fmt::format("{} ({})", d.path, shape_text(d.extent)));
    return list.empty() ? "nothing" : listed(list);
}

std::string unreadable_text(std::vector<Error> const& errors) {
    std::vector<std::string> list;
    for (Error const& e : errors) list.push_back(e.message);
    return list.empty() ? "" : ", and unreadable objects: " + listed(list, 5);
}

/// Damage on the way to the datasets: the frames may be behind it.
Error const* damage_in(std::vector<Error> const& errors) {
    auto const bad = std::ranges::find_if(errors, [](Error const& e) {
        return e.code == Code::corrupt || e.code == Code::truncated || e.code == Code::io;
    });
    return bad == errors.end() ? nullptr : &*bad;
}

/// The name a user who opened the companion file meant.
std::string master_of(object::Object const& file, std::string const& name) {
    auto const link = file.find_link("/STEM Metadata");
    if (!link || !*link) return {};
    fs::path master(name);
    master.replace_filename(master.stem().string() + "_master.h5");
    std::error_code e;
    return fs::exists(master, e) ? master.string() : "the _master.h5 file of the acquisition";
}

}  // namespace

Result<std::string> only_frames(object::Object const& file, std::string const& name) {
    Search search;
    search.group(file, "", 0);
    if (Error const* const damage = damage_in(search.unreadable)) return *damage;
    if (search.too_many)
        return Error{Code::unsupported,
                     fmt::format("has over {} objects, of which any may be the frames; name the "
                                 "dataset with --dataset PATH",
                                 most_links),
                     name};
    auto const& found = search.found;
    auto const n = std::ranges::count_if(found, &FoundDataset::frames);
    if (n == 1) return std::ranges::find_if(found, &FoundDataset::frames)->path;
    // py4DSTEM before 0.13 keeps slices of results, which are arrays of three dimensions, too.
    auto const is_cube = [](FoundDataset const& d) {
        return d.frames && d.path.find("/data/datacubes/") != std::string::npos;
    };
    if (std::ranges::count_if(found, is_cube) == 1)
        return std::ranges::find_if(found, is_cube)->path;
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
