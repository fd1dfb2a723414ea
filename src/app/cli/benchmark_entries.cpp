// One line for each benchmark: a new one is added here.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/benchmark_entries.h"

#include <fmt/format.h>

#include <algorithm>

namespace sluice::cli {

std::span<BenchmarkEntry const> benchmark_entries() {
    using Kind = BenchmarkEntry::Kind;
    static std::vector<BenchmarkEntry> const all{
        {"stem4d-load",
         Kind::verb,
         "loading a scan, beside LZ4 alone",
         {"stem4d", "benchmark", "load", "{scan}"}},
        {"stem4d-virtual",
         Kind::verb,
         "images, moments and patterns of a scan in memory",
         {"stem4d", "benchmark", "virtual", "{scan}"}},
        {"stem4d-stream",
         Kind::verb,
         "the same straight from the files",
         {"stem4d", "benchmark", "stream", "{scan}"}},
        {"stem4d-disks",
         Kind::command,
         "Bragg disks of a scan (whole command)",
         {"stem4d", "disks", "{small}", "--template-radius", "8", "--out", "{out}/disks.h5"}},
        {"stem4d-ptychography",
         Kind::command,
         "five iterations of a scan (whole command)",
         {"stem4d", "ptychography", "{small}", "--energy", "300", "--detector-step-mrad", "0.5",
          "--scan-step-nm", "0.05", "--iterations", "5", "--out", "{out}"}},
        {"stem4d-convert",
         Kind::command,
         "a scan as Zarr (whole command)",
         {"stem4d", "convert", "{scan}", "{out}/scan.zarr"}},
        {"slide",
         Kind::verb,
         "ways of reading a slide (--slide names it)",
         {"slide", "benchmark", "{slide}", "--quick"}},
        {"proton", Kind::verb, "steps and beams of protons", {"proton", "benchmark"}},
        {"music",
         Kind::verb,
         "a chunk of a song through a network without training",
         {"music", "benchmark"}},
    };
    return all;
}

Result<std::vector<BenchmarkEntry>> find_benchmarks(std::vector<std::string> const& names) {
    auto const all = benchmark_entries();
    std::vector<BenchmarkEntry> found;
    for (std::string const& name : names) {
        if (name == "all") return std::vector<BenchmarkEntry>(all.begin(), all.end());
        auto const at = std::ranges::find(all, name, &BenchmarkEntry::name);
        if (at == all.end()) {
            std::string known;
            for (BenchmarkEntry const& e : all) known += (known.empty() ? "" : ", ") + e.name;
            return Error{
                Code::invalid_argument,
                fmt::format("there is no benchmark '{}'; there are {}, and all", name, known)};
        }
        if (std::ranges::find(found, name, &BenchmarkEntry::name) == found.end())
            found.push_back(*at);
    }
    return found;
}

}  // namespace sluice::cli
