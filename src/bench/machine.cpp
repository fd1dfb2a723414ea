// The machine, as the kernel describes it.
// SPDX-License-Identifier: Apache-2.0
#include "bench/machine.h"

#include <fmt/chrono.h>
#include <sys/statfs.h>
#include <sys/utsname.h>

#include <ctime>
#include <fstream>
#include <sstream>

#include "base/memory.h"
#include "base/version.h"
#include "sluice/device.h"

namespace sluice::bench {

std::string processor_name() {
    std::ifstream file("/proc/cpuinfo");
    for (std::string line; std::getline(file, line);)
        if (line.starts_with("model name"))
            if (std::size_t const at = line.find(": "); at != std::string::npos)
                return line.substr(at + 2);
    return "unknown";
}

// The mount with the longest path that `path` is under.
std::string file_system(std::string const& path) {
    char* const real = ::realpath(path.c_str(), nullptr);
    if (!real) return {};
    std::string const whole = real;
    std::free(real);
    std::ifstream file("/proc/self/mounts");
    std::string best, type = "unknown";
    for (std::string line; std::getline(file, line);) {
        std::istringstream words(line);
        std::string device, where, kind;
        words >> device >> where >> kind;
        bool const under = where == "/" || whole.starts_with(where + "/");
        if (!under || where.size() < best.size()) continue;
        best = where;
        type = kind;
    }
    return type;
}

Json machine(std::string const& path) {
    utsname system{};
    ::uname(&system);
    double load = 0;
    std::ifstream("/proc/loadavg") >> load;
    Device const device = Device::cpu();
    Json j{{"processor", processor_name()},
           {"processors", device.threads()},
           {"instructions", device.name()},
           {"memory_bytes", static_cast<double>(memory_of_machine())},
           {"kernel", fmt::format("{} {}", system.sysname, system.release)},
           {"load_before", load}};
    if (std::string const type = file_system(path); !type.empty()) j["file_system"] = type;
    j["sluice"] = fmt::format("{} ({})", version, commit);
    j["time"] = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
    return j;
}

std::string machine_line(Json const& machine) {
    return fmt::format(
        "{} processors, {} ({}), {:.0f} GB, {}{}, load {:.1f}", machine["processors"].get<int>(),
        machine["processor"].get<std::string>(), machine["instructions"].get<std::string>(),
        machine["memory_bytes"].get<double>() / 1e9, machine["kernel"].get<std::string>(),
        machine.contains("file_system") ? ", " + machine["file_system"].get<std::string>()
                                        : std::string(),
        machine["load_before"].get<double>());
}

}  // namespace sluice::bench
