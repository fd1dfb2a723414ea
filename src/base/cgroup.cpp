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

/// The number behind a word of memory.stat.
Number stat(fs::path const& folder, std::string_view name) {
    std::ifstream file(folder / "memory.stat");
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

std::vector<Membership> memberships(std::string const& root) {
    std::vector<Membership> out;
    std::ifstream file(root + "/proc/self/cgroup");
    for (std::string line; std::getline(file, line);) {
        std::size_t const first = line.find(':');
        std::size_t const second = first == line.npos ? first : line.find(':', first + 1);
        if (second == line.npos) continue;
        std::string const names = line.substr(first + 1, second - first - 1);
        if (names.empty() || holds(names, "memory"))
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
std::vector<Mount> mounts(std::string const& root) {
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
            after[0] == "cgroup" && after.size() > 2 && holds(after[2], "memory");
        if (version_1 || version_2) out.push_back({version_2, before[3], before[4]});
    }
    // /proc does not name the mounts: they are in the usual places.
    if (out.empty()) out = {{true, "/", "/sys/fs/cgroup"}, {false, "/", "/sys/fs/cgroup/memory"}};
    return out;
}

GroupMemory with_use(fs::path const& folder, std::uint64_t limit, char const* usage,
                     std::initializer_list<char const*> cache) {
    std::uint64_t const used = number_in(folder / usage).value_or(0);
    std::uint64_t given_back = 0;
    for (char const* const name : cache) given_back += stat(folder, name).value_or(0);
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
    Number const above = stat(folder, "hierarchical_memory_limit");
    if (!own && !above) return {};
    return with_use(folder, std::min(own.value_or(unlimited), above.value_or(unlimited)),
                    "memory.usage_in_bytes", {"total_inactive_file", "total_active_file"});
}

/// Of a group and of those around it, up to where the hierarchy is mounted.
void add_groups(std::string const& root, Mount const& mount, std::string const& path,
                std::vector<GroupMemory>& out) {
    // A path outside of what is mounted cannot be seen: the mount's top is the nearest one.
    bool const whole = path.starts_with('/') && path.find("/..") == path.npos;
    bool const inside =
        whole && (mount.top == "/" || path == mount.top || path.starts_with(mount.top + "/"));
    std::string below = !inside ? "" : mount.top == "/" ? path : path.substr(mount.top.size());
    for (bool top = false; !top;) {
        while (below.ends_with('/')) below.pop_back();
        top = below.empty();
        fs::path const folder = root + mount.at + below;
        if (auto const group = mount.version_2 ? version_2(folder) : version_1(folder))
            out.push_back(*group);
        below.resize(top ? 0 : below.find_last_of('/'));
    }
}

}  // namespace

std::vector<GroupMemory> limiting_groups(std::string const& root) {
    std::vector<GroupMemory> out;
    auto const all = mounts(root);
    for (Membership const& own : memberships(root))
        for (Mount const& mount : all)
            if (mount.version_2 == own.version_2) add_groups(root, mount, own.path, out);
    return out;
}

}  // namespace sluice
