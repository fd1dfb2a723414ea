// Files that were not finished: what NewFile writes until it is whole.
// SPDX-License-Identifier: Apache-2.0
#include "base/unfinished.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <filesystem>
#include <map>
#include <mutex>
#include <vector>

#include "base/file_lock.h"
#include "base/hash.h"

namespace sluice {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view middle = ".part-";

// No process of Linux has this number or a larger one: numbers above it tell names apart.
constexpr std::int64_t above_all = std::int64_t{1} << 22;

std::string_view number_of(std::string_view name) {
    std::size_t const at = name.rfind(middle);
    if (at == name.npos || at == 0) return {};
    return name.substr(at + middle.size());
}

// Whether no process has the number here.
bool has_ended(std::string_view number) {
    std::int64_t all = 0;
    auto const [end, error] = std::from_chars(number.data(), number.data() + number.size(), all);
    auto const pid = static_cast<pid_t>(all % above_all);
    if (error != std::errc{} || end != number.data() + number.size() || pid <= 0) return false;
    return ::kill(pid, 0) != 0 && errno == ESRCH;
}

std::vector<std::string> unfinished_in(fs::path const& folder) {
    std::vector<std::string> names;
    std::error_code failed;
    fs::directory_iterator entry(folder, failed);
    for (; !failed && entry != fs::directory_iterator(); entry.increment(failed)) {
        std::string name = entry->path().filename().string();
        std::error_code ignored;
        if (is_unfinished(name) && fs::is_regular_file(entry->symlink_status(ignored)))
            names.push_back(std::move(name));
    }
    return names;
}

void remove_left(fs::path const& file) {
    int const fd = ::open(file.c_str(), O_WRONLY | O_CLOEXEC | O_NOFOLLOW);
    if (fd < 0) return;
    if (lock_file(fd) == Lock::taken && still_there(fd, file)) ::unlink(file.c_str());
    ::close(fd);
}

}  // namespace

bool is_unfinished(std::string_view name) {
    std::string_view const number = number_of(name);
    return !number.empty() &&
           std::ranges::all_of(number, [](char c) { return c >= '0' && c <= '9'; });
}

bool writer_has_ended(std::string_view name) {
    return is_unfinished(name) && has_ended(number_of(name));
}

std::string unfinished_prefix(std::string const& filename) {
    // ".part-" and the largest number.
    constexpr std::size_t most = 255 - middle.size() - 19, digits = 16;
    if (filename.size() <= most) return filename + std::string(middle);
    Fnv1a hash;
    hash.update(std::as_bytes(std::span(filename)));
    std::size_t kept = most - digits - 1;
    // Whole characters of UTF-8: some file systems refuse others.
    while (kept > 0 && (static_cast<std::uint8_t>(filename[kept]) & 0xc0) == 0x80) --kept;
    return fmt::format("{}~{:016x}{}", filename.substr(0, kept), hash.digest(), middle);
}

bool has_too_long_name(std::string_view path) {
    return path.size() - (path.rfind('/') + 1) > 255;  // npos + 1 is 0
}

std::string unfinished_name(std::string const& path, int other) {
    std::size_t const at = path.rfind('/') + 1;  // npos + 1 is 0
    return path.substr(0, at) + unfinished_prefix(path.substr(at)) +
           std::to_string(::getpid() + other * above_all);
}

void remove_leftovers(std::string const& path) {
    fs::path const whole(path);
    fs::path const folder = whole.has_parent_path() ? whole.parent_path() : fs::path(".");
    std::string const prefix = unfinished_prefix(whole.filename().string());
    // A conversion writes thousands of files into a folder.
    static std::mutex mutex;
    static std::map<std::string, std::vector<std::string>> seen;
    std::lock_guard const guard(mutex);
    std::string const key = fs::absolute(folder).lexically_normal().string();
    auto at = seen.find(key);
    if (at == seen.end()) at = seen.emplace(key, unfinished_in(folder)).first;
    for (std::string const& name : at->second)
        if (name.starts_with(prefix) && name.size() > prefix.size() &&
            number_of(name).size() == name.size() - prefix.size() && has_ended(number_of(name)))
            remove_left(folder / name);
}

}  // namespace sluice
