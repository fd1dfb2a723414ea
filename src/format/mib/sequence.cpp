// Finds the files of an acquisition beside one of them.
// SPDX-License-Identifier: Apache-2.0
#include "format/mib/sequence.h"

#include <algorithm>
#include <filesystem>

namespace sluice::mib {
namespace {

namespace fs = std::filesystem;

bool is_there(fs::path const& path) {
    std::error_code ignored;
    return fs::exists(path, ignored);
}

std::string lower(std::string text) {
    for (char& c : text)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return text;
}

bool all_digits(std::string_view text) {
    return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

// What stands before the digits at its end.
std::string_view without_number(std::string_view stem) {
    while (!stem.empty() && stem.back() >= '0' && stem.back() <= '9') stem.remove_suffix(1);
    return stem;
}

fs::path folder_of(fs::path const& path) {
    return path.has_parent_path() ? path.parent_path() : fs::path(".");
}

// "scan" for scan000001.mib and scan_000001.mib; empty: there is none.
std::string hdr_of(fs::path const& folder, std::string_view prefix) {
    auto const named = [&](std::string_view stem) {
        return stem.empty() ? fs::path() : folder / (std::string(stem) + ".hdr");
    };
    for (fs::path const& path :
         {named(prefix), named(prefix.substr(0, prefix.find_last_not_of("_-") + 1))})
        if (!path.empty() && is_there(path)) return path.string();
    return {};
}

// The numbered files of a prefix, a shorter number first. Those with an HDR of their own are
// acquisitions of their own.
std::vector<std::string> numbered(fs::path const& folder, std::string_view prefix) {
    std::vector<std::pair<std::string, std::string>> found;  // the number, the path
    std::error_code failed;
    fs::directory_iterator entry(folder, failed);
    for (; !failed && entry != fs::directory_iterator(); entry.increment(failed)) {
        fs::path const& path = entry->path();
        std::string const stem = path.stem().string();
        if (lower(path.extension().string()) != ".mib" || !stem.starts_with(prefix)) continue;
        if (!all_digits(std::string_view(stem).substr(prefix.size()))) continue;
        if (is_there(fs::path(path).replace_extension(".hdr"))) continue;
        found.emplace_back(stem.substr(prefix.size()), path.string());
    }
    std::ranges::sort(found, [](auto const& a, auto const& b) {
        return std::pair(a.first.size(), a.first) < std::pair(b.first.size(), b.first);
    });
    std::vector<std::string> files;
    for (auto& [number, path] : found) files.push_back(std::move(path));
    return files;
}

// Whether the file of the number before is there: what is asked of most files of a folder.
bool follows_another(fs::path const& path) {
    std::string stem = path.stem().string();
    std::size_t const prefix = without_number(stem).size();
    std::size_t at = stem.size();
    while (at > prefix && stem[at - 1] == '0') stem[--at] = '9';
    if (at == prefix) return false;
    --stem[at - 1];
    fs::path const before = folder_of(path) / (stem + path.extension().string());
    auto const alone = [](fs::path file) { return is_there(file.replace_extension(".hdr")); };
    return is_there(before) && !alone(before) && !alone(path);
}

Sequence of_file(fs::path const& path) {
    Sequence s;
    fs::path const own = fs::path(path).replace_extension(".hdr");
    std::string const stem = path.stem().string();
    std::string_view const prefix = without_number(stem);
    if (is_there(own)) {
        s.hdr = own.string();
    } else if (prefix.size() < stem.size()) {
        s.hdr = hdr_of(folder_of(path), prefix);
        s.files = numbered(folder_of(path), prefix);
        // As the user names it, also where the folder lists it otherwise.
        for (std::string& file : s.files)
            if (fs::path(file).filename() == path.filename()) file = path.string();
    }
    if (s.files.empty()) s.files = {path.string()};
    return s;
}

}  // namespace

Result<Sequence> sequence_of(std::string const& path) {
    fs::path const p(path);
    if (lower(p.extension().string()) != ".hdr") return of_file(p);
    Sequence s{.hdr = path};
    fs::path const own = fs::path(p).replace_extension(".mib");
    if (is_there(own))
        s.files = {own.string()};
    else
        for (std::string const end : {"", "_", "-"})
            if (s.files.empty()) s.files = numbered(folder_of(p), p.stem().string() + end);
    if (s.files.empty())
        return Error{Code::not_found,
                     "there is no " + own.filename().string() +
                         ", nor numbered files of that name; copy the frames beside it",
                     path};
    return s;
}

bool is_name(std::string_view name) {
    std::string const ending = lower(fs::path(name).extension().string());
    return ending == ".mib" || ending == ".hdr";
}

bool is_later_file(std::string const& path) {
    if (lower(fs::path(path).extension().string()) == ".hdr") return true;
    if (follows_another(path)) return true;
    auto const s = sequence_of(path);
    return s && s->files.front() != path;
}

}  // namespace sluice::mib
