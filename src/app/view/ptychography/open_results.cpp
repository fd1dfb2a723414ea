// Finds results at paths and loads them.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "app/view/ptychography/results.h"
#include "base/memory.h"
#include "format/kinds/kinds.h"

namespace sluice::app {
namespace {

namespace fs = std::filesystem;

// The results in a folder, or the path itself.
std::vector<std::string> files_at(std::string const& path) {
    std::error_code ignored;
    if (!fs::is_directory(path, ignored)) return {path};
    return files_of(kinds::reconstruction, path);
}

std::uint64_t bytes_of(stem4d::PtychographyResult const& r) {
    return (r.object.values.size() + r.probe.values.size()) * sizeof(std::complex<float>);
}

// What a page can ask for, and a browser's canvas can hold.
Status check_size(stem4d::PtychographyResult const& r) {
    constexpr index most_slices = 1000, most_modes = 64, longest_side = 32767;
    index const longest = std::max(r.object.shape[1], r.object.shape[2]);
    if (r.object.shape[0] <= most_slices && r.probe.shape[0] <= most_modes &&
        longest <= longest_side)
        return {};
    return Error{Code::unsupported,
                 fmt::format("{} slices, {} modes and {} pixels a side are too many to show (at "
                             "most {}, {} and {} are shown) show a part of them",
                             r.object.shape[0], r.probe.shape[0], longest, most_slices, most_modes,
                             longest_side)};
}

// Several files of the same name are told apart by their folders.
void name_apart(std::vector<ShownResult>& results) {
    std::vector<std::string> names;
    for (auto const& one : results) names.push_back(one.name);
    for (auto& one : results)
        if (std::ranges::count(names, one.name) > 1)
            one.name = fs::path(one.path).parent_path().filename().string() + "/" + one.name;
}

}  // namespace

Result<std::unique_ptr<Domain>> Results::open(std::vector<std::string> const& paths,
                                              std::uint64_t most_bytes,
                                              std::vector<ShownResult> given) {
    std::vector<ShownResult> results;
    std::vector<Error> failed;
    std::uint64_t left = most_bytes > 0 ? most_bytes : memory_available();
    auto const take = [&](ShownResult one) {
        Status fits = check_size(one.saved.result);
        if (fits) return results.push_back(std::move(one));
        fits.error().file = one.path;
        failed.push_back(fits.error());
    };
    for (std::string const& folder : paths)
        for (std::string const& path : files_at(folder)) {
            auto saved = stem4d::load_ptychography(path, std::max<std::uint64_t>(left, 1));
            if (!saved) {
                failed.push_back(saved.error());
                continue;
            }
            left -= std::min(left, bytes_of(saved->result));
            take({fs::path(path).filename().string(), path, *std::move(saved)});
        }
    for (ShownResult& one : given) {
        SLUICE_CHECK(stem4d::check_result(one.saved.result));
        take(std::move(one));
    }
    std::vector<std::string> notes;
    for (Error const& error : failed) notes.push_back(error.text());
    if (results.empty() && failed.size() == 1) return failed.front();
    if (results.empty())
        return Error{Code::not_found,
                     fmt::format("nothing to look at:\n  {}", fmt::join(notes, "\n  "))};
    name_apart(results);
    return std::unique_ptr<Domain>(std::make_unique<Results>(std::move(results), std::move(notes)));
}

}  // namespace sluice::app
