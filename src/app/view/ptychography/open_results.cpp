// Finds results at paths and loads them.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "app/view/ptychography/results.h"
#include "base/memory.h"

namespace sluice::app {
namespace {

namespace fs = std::filesystem;

bool is_result_file(fs::path const& path) {
    std::error_code ignored;
    return fs::is_regular_file(path, ignored) && stem4d::holds_ptychography(path.string());
}

// What is in a folder, by their names.
std::vector<std::string> files_in(std::string const& folder) {
    std::vector<std::string> found;
    std::error_code failed;
    fs::directory_iterator entry(folder, failed);
    for (; !failed && entry != fs::directory_iterator(); entry.increment(failed))
        found.push_back(entry->path().string());
    std::ranges::sort(found);
    return found;
}

std::vector<std::string> results_in(std::string const& folder) {
    std::vector<std::string> found = files_in(folder);
    std::erase_if(found,
                  [](auto const& file) { return !file.ends_with(".h5") || !is_result_file(file); });
    return found;
}

std::uint64_t bytes_of(stem4d::PtychographyResult const& r) {
    return (r.object.values.size() + r.probe.values.size()) * sizeof(std::complex<float>);
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

bool is_result(std::string const& path) {
    std::error_code ignored;
    if (!fs::is_directory(path, ignored)) return is_result_file(path);
    // A folder of acquisitions may also be one that results were written to.
    auto const is_master = [](auto const& file) { return file.ends_with("_master.h5"); };
    return std::ranges::none_of(files_in(path), is_master) && !results_in(path).empty();
}

std::vector<std::string> result_files(std::string const& path) {
    std::error_code ignored;
    if (!fs::is_directory(path, ignored)) return {path};
    return results_in(path);
}

Result<std::unique_ptr<Domain>> Results::open(std::vector<std::string> const& paths,
                                              std::uint64_t most_bytes) {
    std::vector<ShownResult> results;
    std::vector<std::string> notes;
    std::optional<Error> first;
    std::uint64_t left = most_bytes > 0 ? most_bytes : memory_available();
    for (std::string const& given : paths)
        for (std::string const& path : result_files(given)) {
            auto saved = stem4d::load_ptychography(path, std::max<std::uint64_t>(left, 1));
            if (!saved) {
                if (!first) first = saved.error();
                notes.push_back(saved.error().text());
                continue;
            }
            left -= std::min(left, bytes_of(saved->result));
            results.push_back({fs::path(path).filename().string(), path, *std::move(saved)});
        }
    if (results.empty() && notes.size() == 1) return *first;
    if (results.empty())
        return Error{Code::not_found,
                     fmt::format("nothing to look at:\n  {}", fmt::join(notes, "\n  "))};
    name_apart(results);
    return std::unique_ptr<Domain>(std::make_unique<Results>(std::move(results), std::move(notes)));
}

}  // namespace sluice::app
