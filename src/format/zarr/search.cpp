// Groups are folders with metadata; chunks are folders and files without.
// SPDX-License-Identifier: Apache-2.0
#include "format/zarr/search.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "zarr/group.h"
#include "zarr/place.h"
#include "zarr/reader.h"
#include "zarr/text.h"

namespace sluice::zarr_scan {
namespace {

using json = nlohmann::ordered_json;

// HyperSpy's arrays lie in the third group, its metadata in the fifth.
constexpr int deepest = 6;
constexpr int most_groups = 2000;

bool is_array(std::string const& path) {
    if (zarr::is_there(path + "/.zarray")) return true;
    if (!zarr::is_there(path + "/zarr.json")) return false;
    auto const text = zarr::read_text(path + "/zarr.json");
    if (!text) return false;
    json const j = json::parse(*text, nullptr, false);
    return j.is_object() && j.value("node_type", json()) == "array";
}

bool says_slide(std::string const& path) {
    auto const text = zarr::read_attributes(path);
    if (!text) return false;
    json const j = json::parse(*text, nullptr, false);
    if (!j.is_object()) return false;
    constexpr char const* marks[] = {"multiscales", "plate", "well",
                                     "omero",       "ome",   "bioformats2raw.layout"};
    return std::ranges::any_of(marks, [&](char const* mark) { return j.contains(mark); });
}

class Search {
  public:
    explicit Search(std::string folder) : folder_(std::move(folder)) {}

    FoundArrays found = {};

    void look(std::string const& name, int depth) {
        std::string const path = name.empty() ? folder_ : folder_ + "/" + name;
        if (!zarr::is_node(path) || ++groups_ > most_groups) return;
        if (is_array(path)) return take(path, name);
        found.slide |= says_slide(path);
        // Plates have thousands of groups, which need not be read to know what they are.
        if (found.slide || depth == deepest) return;
        std::vector<std::string> below;
        if (auto const entries = zarr::list_folder(path))
            for (zarr::Below const& entry : *entries)
                if (entry.folder) below.push_back(entry.name);
        for (std::string const& child : below)
            look(name.empty() ? child : name + "/" + child, depth + 1);
    }

  private:
    void take(std::string const& path, std::string const& name) {
        auto const reader = zarr::Reader::open(path);
        if (reader)
            found.arrays.push_back({name, reader->layout()});
        else
            found.unreadable.push_back(reader.error());
    }

    std::string folder_;
    int groups_ = 0;
};

}  // namespace

FoundArrays find_arrays(std::string const& folder) {
    Search search(folder);
    search.look("", 0);
    return std::move(search.found);
}

std::string arrays_text(std::vector<FoundArray> const& arrays, bool frames) {
    std::vector<std::string> list;
    constexpr std::size_t most = 20;
    for (FoundArray const& a : arrays)
        if ((a.frames() || !frames) && list.size() < most)
            list.push_back(fmt::format("{} ({})", a.name.empty() ? "/" : a.name,
                                       fmt::join(a.layout.shape, "x")));
    return list.empty() ? "nothing" : fmt::format("{}", fmt::join(list, ", "));
}

}  // namespace sluice::zarr_scan
