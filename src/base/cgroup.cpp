// Reading control groups: which ones this process is in, where they are mounted, what they allow.
// SPDX-License-Identifier: Apache-2.0
#include "base/cgroup.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace sluice {
namespace {

namespace fs = std::filesystem;
using Number = std::optional<std::uint64_t>;
constexpr std::uint64_t unlimited = ~std::uint64_t{0};

std::vector<std::string> split(std::string const& text, char by) {
    std::vector<std::string> parts;
    std::istringstream in(text);
    for (std::string part; std::getline(in, part, by);) parts.push_back(part);
    return parts;
}

bool holds(std::string const& list, std::string_view word) {
    auto const words = split(list, ',');
    return std::ranges::find(words, word) != words.end();
}

/// A text as a number; empty for "max" and for all other texts.
Number number(std::string_view text) {
    std::uint64_t value = 0;
    auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    bool const whole = error == std::errc{} && end == text.data() + text.size();
    return whole ? Number(value) : std::nullopt;
}

Number number_in(fs::path const& file) {
    std::string word;
    std::ifstream(file) >> word;
    return number(word);
}

/// The number behind a word of a file of words and numbers.
Number stat(fs::path const& file_path, std::string_view name) {
    std::ifstream file(file_path);
    for (std::string word, value; file >> word >> value;)
        if (word == name) return number(value);
    return {};
}

/// The group of this process that a line of /proc/self/cgroup is about: of version 2 "0::/path", of
/// version 1 "9:cpu,memory:/path".
struct Membership {
    bool version_2 = false;
    std::string path;
};

std::vector<Membership> memberships(std::string const& root, std::string_view controller) {
    std::vector<Membership> out;
    std::ifstream file(root + "/proc/self/cgroup");
    for (std::string line; std::getline(file, line);) {
        std::size_t const first = line.find(':');
        std::size_t const second = first == line.npos ? first : line.find(':', first + 1);
        if (second == line.npos) continue;
        std::string const names = line.substr(first + 1, second - first - 1);
        if (names.empty() || holds(names, controller))
            out.push_back({names.empty(), line.substr(second + 1)});
    }
    if (out.empty()) out = {{true, "/"}, {false, "/"}};
    return out;
}

/// A mounted hierarchy of groups. In a container the mount shows only groups below `top`.
struct Mount {
    bool version_2 = false;
    std::string top, at;
};

/// Lines of /proc/self/mountinfo: number, parent, device, root, place, options, ... " - " type,
/// device, options.
std::vector<Mount> mounts(std::string const& root, std::string_view controller) {
    std::vector<Mount> out;
    std::ifstream file(root + "/proc/self/mountinfo");
    for (std::string line; std::getline(file, line);) {
        std::size_t const dash = line.find(" - ");
        if (dash == line.npos) continue;
        auto const before = split(line.substr(0, dash), ' '),
                   after = split(line.substr(dash + 3), ' ');
        if (before.size() < 5 || after.empty()) continue;
        bool const version_2 = after[0] == "cgroup2";
        bool const version_1 =
            after[0] == "cgroup" && after.size() > 2 && holds(after[2], controller);
        if (version_1 || version_2) out.push_back({version_2, before[3], before[4]});
    }
    // /proc does not name the mounts: they are in the usual places.
    if (out.empty())
        out = {{true, "/", "/sys/fs/cgroup"},
               {false, "/", "/sys/fs/cgroup/" + std::string(controller)}};
    return out;
}

GroupMemory with_use(fs::path const& folder, std::uint64_t limit, char const* usage,
                     std::initializer_list<char const*> cache) {
    std::uint64_t const used = number_in(folder / usage).value_or(0);
    std::uint64_t given_back = 0;
    for (char const* const name : cache)
        given_back += stat(folder / "memory.stat", name).value_or(0);
    return {limit, used - std::min(used, given_back)};
}

std::optional<GroupMemory> version_2(fs::path const& folder) {
    // Above "high" a process is not killed, but slowed down until it gets nowhere.
    Number const max = number_in(folder / "memory.max"), high = number_in(folder / "memory.high");
    if (!max && !high) return {};
    return with_use(folder, std::min(max.value_or(unlimited), high.value_or(unlimited)),
                    "memory.current", {"inactive_file", "active_file"});
}

std::optional<GroupMemory> version_1(fs::path const& folder) {
    // The second one holds limits of groups above, which a container may not see.
    Number const own = number_in(folder / "memory.limit_in_bytes");
    Number const above = stat(folder / "memory.stat", "hierarchical_memory_limit");
    if (!own && !above) return {};
    return with_use(folder, std::min(own.value_or(unlimited), above.value_or(unlimited)),
                    "memory.usage_in_bytes", {"total_inactive_file", "total_active_file"});
}

/// The folder of a group, in the files of one version.
struct Group {
    bool version_2 = false;
    fs::path folder;
};

/// Of a group and of those around it, up to where the hierarchy is mounted.
void add_groups(std::string const& root, Mount const& mount, std::string const& path,
                std::vector<Group>& out) {
    // A path outside of what is mounted cannot be seen: the mount's top is the nearest one.
    bool const whole = path.starts_with('/') && path.find("/..") == path.npos;
    bool const inside =
        whole && (mount.top == "/" || path == mount.top || path.starts_with(mount.top + "/"));
    std::string below = !inside ? "" : mount.top == "/" ? path : path.substr(mount.top.size());
    for (bool top = false; !top;) {
        while (below.ends_with('/')) below.pop_back();
        top = below.empty();
        out.push_back({mount.version_2, root + mount.at + below});
        below.resize(top ? 0 : below.find_last_of('/'));
    }
}

/// The groups of this process for a controller, innermost first.
std::vector<Group> groups_of(std::string const& root, std::string_view controller) {
    std::vector<Group> out;
    auto const all = mounts(root, controller);
    for (Membership const& own : memberships(root, controller))
        for (Mount const& mount : all)
            if (mount.version_2 == own.version_2) add_groups(root, mount, own.path, out);
    return out;
}

std::optional<double> quota_of(Group const& group) {
    std::string quota, period;
    if (group.version_2) {
        std::ifstream(group.folder / "cpu.max") >> quota >> period;
    } else {
        std::ifstream(group.folder / "cpu.cfs_quota_us") >> quota;  // -1: none
        std::ifstream(group.folder / "cpu.cfs_period_us") >> period;
    }
    Number const used = number(quota), of = number(period);
    if (!used || !of || *of == 0) return {};
    return static_cast<double>(*used) / static_cast<double>(*of);
}

std::optional<double> held_back_in(Group const& group) {
    fs::path const file = group.folder / "cpu.stat";
    if (Number const us = stat(file, "throttled_usec")) return 1e-6 * static_cast<double>(*us);
    if (Number const ns = stat(file, "throttled_time")) return 1e-9 * static_cast<double>(*ns);
    return {};
}

}  // namespace

std::vector<GroupMemory> limiting_groups(std::string const& root) {
    std::vector<GroupMemory> out;
    for (Group const& group : groups_of(root, "memory"))
        if (auto const limit = group.version_2 ? version_2(group.folder) : version_1(group.folder))
            out.push_back(*limit);
    return out;
}

std::optional<double> processor_quota(std::string const& root) {
    std::optional<double> least;
    for (Group const& group : groups_of(root, "cpu"))
        if (auto const quota = quota_of(group)) least = std::min(least.value_or(*quota), *quota);
    return least;
}

std::optional<double> held_back_s(std::string const& root) {
    std::optional<double> most;
    for (Group const& group : groups_of(root, "cpu"))
        if (auto const s = held_back_in(group)) most = std::max(most.value_or(*s), *s);
    return most;
}

}  // namespace sluice
