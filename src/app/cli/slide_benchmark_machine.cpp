// The machine, as the kernel describes it.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/slide_benchmark_machine.h"

#include <fmt/chrono.h>
#include <sys/statfs.h>
#include <sys/utsname.h>

#include <ctime>
#include <fstream>
#include <sstream>

#include "base/memory.h"
#include "base/version.h"
#include "sluice/device.h"

namespace sluice::cli {
namespace {

std::string processor() {
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
    std::string const whole = real ? real : path;
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

}  // namespace

Json machine_of(std::string const& path) {
    utsname system{};
    ::uname(&system);
    auto const memory = static_cast<double>(memory_of_machine());
    double load = 0;
    std::ifstream("/proc/loadavg") >> load;
    Device const device = Device::cpu();
    return {{"processor", processor()},
            {"processors", device.threads()},
            {"instructions", device.name()},
            {"memory_bytes", memory},
            {"kernel", fmt::format("{} {}", system.sysname, system.release)},
            {"load_before", load},
            {"file_system", file_system(path)},
            {"sluice", fmt::format("{} ({})", version, commit)},
            {"time", fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)))}};
}

}  // namespace sluice::cli
