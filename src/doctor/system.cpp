// Files of /proc and /sys.
// SPDX-License-Identifier: Apache-2.0
#include "doctor/system.h"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "base/cgroup.h"
#include "base/memory.h"
#include "bench/machine.h"
#include "device/isa.h"
#include "doctor/disk.h"

namespace sluice::doctor {
namespace {

namespace fs = std::filesystem;

std::string line_of(std::string const& path) {
    std::ifstream file(path);
    std::string line;
    std::getline(file, line);
    return line;
}

std::vector<int> allowed_processors() {
    cpu_set_t set;
    CPU_ZERO(&set);
    std::vector<int> out;
    if (::sched_getaffinity(0, sizeof set, &set) != 0) return {0};
    for (int i = 0; i < CPU_SETSIZE; ++i)
        if (CPU_ISSET(i, &set)) out.push_back(i);
    return out;
}

// Threads of one core name the same siblings. Where nothing is said, each is a core.
int cores_of(std::vector<int> const& processors, std::string const& root) {
    std::set<std::string> cores;
    for (int const p : processors) {
        std::string const siblings = line_of(root + "/sys/devices/system/cpu/cpu" +
                                             std::to_string(p) + "/topology/thread_siblings_list");
        cores.insert(siblings.empty() ? std::to_string(p) : siblings);
    }
    return static_cast<int>(cores.size());
}

std::set<std::string> flags_of(std::string const& root) {
    std::ifstream file(root + "/proc/cpuinfo");
    for (std::string line; std::getline(file, line);) {
        if (!line.starts_with("flags")) continue;
        std::istringstream words(line);
        return {std::istream_iterator<std::string>(words), {}};
    }
    return {};
}

std::uint64_t machine_memory() {
    return static_cast<std::uint64_t>(::sysconf(_SC_PHYS_PAGES)) *
           static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

}  // namespace

std::vector<int> processors_in(std::string const& list) {
    std::vector<int> out;
    std::istringstream parts(list);
    for (std::string part; std::getline(parts, part, ',');) {
        int first = 0, last = 0;
        char const* const end = part.data() + part.size();
        auto const [dash, e] = std::from_chars(part.data(), end, first);
        if (e != std::errc()) return {};
        last = first;
        if (dash != end && std::from_chars(dash + 1, end, last).ec != std::errc()) return {};
        constexpr int most = 65536;
        for (int i = first; i <= std::min(last, first + most); ++i) out.push_back(i);
    }
    return out;
}

std::string chosen_word(std::string const& text) {
    std::size_t const open = text.find('['), close = text.find(']', open);
    if (open == text.npos || close == text.npos) return {};
    return text.substr(open + 1, close - open - 1);
}

void ask_system(MachineFacts& facts, std::string const& folder, std::string const& root) {
    facts.processor = bench::processor_name();
    std::vector<int> const allowed = allowed_processors();
    facts.allowed = static_cast<int>(allowed.size());
    auto const online = processors_in(line_of(root + "/sys/devices/system/cpu/online"));
    facts.processors = std::max(static_cast<int>(online.size()), facts.allowed);
    facts.cores = cores_of(allowed, root);
    facts.quota = processor_quota(root);
    std::set<std::string> const flags = flags_of(root);
    facts.virtual_machine = flags.contains("hypervisor");
    for (char const* const unit : {"int8", "bf16", "fp16"})
        if (flags.contains(std::string("amx_") + unit)) facts.matrix_units.push_back(unit);
    facts.instructions = name_of(chosen_isa());
    Isa best = Isa::baseline;
    for (Isa const isa : compiled_isas())
        if (runs_here(isa)) best = isa;
    facts.best_instructions = name_of(best);
    MemoryNow const memory = memory_now(root);
    facts.memory = std::max(machine_memory(), memory.total);
    facts.memory_limit = memory.total;
    facts.memory_available = memory.available;
    facts.large_pages = chosen_word(line_of(root + "/sys/kernel/mm/transparent_hugepage/enabled"));
    facts.folder = folder;
    facts.file_system = bench::file_system(folder);
    facts.folder_free = free_bytes(folder);
}

std::map<int, Used> used_by_programs(std::string const& root) {
    std::map<int, Used> out;
    std::error_code error;
    auto const tick = static_cast<double>(::sysconf(_SC_CLK_TCK));
    for (auto const& entry : fs::directory_iterator(root + "/proc", error)) {
        std::string const name = entry.path().filename();
        int pid = 0;
        char const* const end = name.data() + name.size();
        if (auto const [at, e] = std::from_chars(name.data(), end, pid);
            e != std::errc() || at != end)
            continue;
        // "12 (a name) S ..." where the name may hold anything: user and system time are the 12th
        // and 13th word behind it.
        std::string const line = line_of(entry.path() / "stat");
        std::size_t const open = line.find('('), close = line.rfind(')');
        if (open == line.npos || close == line.npos || close < open) continue;
        std::istringstream words(line.substr(close + 1));
        std::string skipped;
        for (int i = 0; i < 11; ++i) words >> skipped;
        double user = 0, system = 0;
        if (words >> user >> system)
            out[pid] = {line.substr(open + 1, close - open - 1), (user + system) / tick};
    }
    return out;
}

Busiest busiest(std::map<int, Used> const& before, std::map<int, Used> const& after, int self) {
    Busiest most;
    for (auto const& [pid, used] : after) {
        auto const then = before.find(pid);
        double const s = used.seconds - (then == before.end() ? 0 : then->second.seconds);
        if (pid != self && s > most.seconds)
            most = {used.name + " (process " + std::to_string(pid) + ")", s};
    }
    return most;
}

}  // namespace sluice::doctor
