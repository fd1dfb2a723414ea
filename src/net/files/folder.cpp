// Which files of a folder begin an acquisition, by their names.
// SPDX-License-Identifier: Apache-2.0
#include "net/files/folder.h"

#include <algorithm>
#include <filesystem>
#include <tuple>

#include "base/unfinished.h"
#include "format/table.h"
#include "net/files/stamps.h"

namespace sluice::net::files {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view of_master = "_master.h5";

// "scan_data_000001.h5", and what a microscope writes beside "scan_master.h5".
bool is_beside_master(fs::path const& path) {
    std::string const stem = path.stem().string();
    auto const data = stem.rfind("_data_");
    if (data != std::string::npos && stem.size() == data + 12) return true;
    std::error_code ignored;
    fs::path const master = path.parent_path() / (stem + std::string(of_master));
    return fs::exists(master, ignored);
}

}  // namespace

bool may_begin(std::string_view name, OpenOptions const& options) {
    if (name.starts_with('.') || is_unfinished(name)) return false;
    auto const has_end = [&](std::string_view end) { return name.ends_with(end); };
    auto const may_be = [&](Format const& f) {
        return std::ranges::any_of(f.while_written, has_end);
    };
    // What options choose is no name's to tell.
    if (Format const* const chosen = chosen_format(options)) return may_be(*chosen);
    return std::ranges::any_of(formats(), [&](Format const& f) { return !f.chosen && may_be(f); });
}

std::vector<std::string> acquisitions_in(std::string const& folder, OpenOptions const& options) {
    std::vector<std::tuple<std::int64_t, std::string>> found;
    std::error_code failed;
    fs::directory_iterator entry(folder, failed);
    for (; !failed && entry != fs::directory_iterator(); entry.increment(failed)) {
        std::string const path = entry->path().string();
        std::string const name = entry->path().filename().string();
        if (!may_begin(name, options) || is_beside_master(entry->path())) continue;
        if (is_part(path)) continue;
        auto const stamp = stamp_of(path);
        if (stamp && !stamp->folder) found.emplace_back(stamp->changed_ns, path);
    }
    std::ranges::sort(found);
    std::vector<std::string> paths;
    for (auto& [when, path] : found) paths.push_back(std::move(path));
    return paths;
}

}  // namespace sluice::net::files
