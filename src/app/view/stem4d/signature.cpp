// Sizes and times of files, and the files that are named alike.
// SPDX-License-Identifier: Apache-2.0
#include "app/view/stem4d/signature.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string_view>

namespace sluice::app {
namespace {

namespace fs = std::filesystem;

fs::path folder_path(std::string const& path) {
    fs::path const parent = fs::path(path).parent_path();
    return parent.empty() ? fs::path(".") : parent;
}

std::string stem_of(std::string const& path) {
    constexpr std::string_view master = "_master.h5";
    fs::path const name = fs::path(path).filename();
    std::string const whole = name.string();
    return whole.ends_with(master) ? whole.substr(0, whole.size() - master.size())
                                   : name.stem().string();
}

std::vector<std::string> names_in(fs::path const& folder) {
    std::vector<std::string> names;
    std::error_code failed;
    fs::directory_iterator entry(folder, failed);
    for (; !failed && entry != fs::directory_iterator(); entry.increment(failed))
        names.push_back(entry->path().filename().string());
    std::ranges::sort(names);
    return names;
}

}  // namespace

std::string signature_of(std::vector<std::string> const& files) {
    std::string signature;
    for (std::string const& file : files) {
        std::error_code failed;
        auto const size = fs::file_size(file, failed);
        // It may go between the two questions.
        auto const time = failed ? fs::file_time_type() : fs::last_write_time(file, failed);
        signature +=
            failed ? "gone;" : fmt::format("{}:{};", size, time.time_since_epoch().count());
    }
    return signature;
}

std::string Look::family_of(std::string const& path, std::vector<std::string> const& files) {
    fs::path const folder = folder_path(path);
    auto [it, fresh] = names_.try_emplace(folder.string());
    if (fresh) it->second = names_in(folder);
    std::string const stem = stem_of(path);
    std::vector<std::string> members = files;
    std::string names;
    for (std::string const& name : it->second)
        if (name.starts_with(stem)) {
            names += name + ";";
            members.push_back((folder / name).string());
        }
    return names + signature_of(members);
}

std::string Look::folder_of(std::string const& path) {
    std::error_code failed;
    auto const time = fs::last_write_time(folder_path(path), failed);
    return failed ? "gone" : std::to_string(time.time_since_epoch().count());
}

}  // namespace sluice::app
