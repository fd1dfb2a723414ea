// Reads of the scan's own files: a disk that is shared or nearly full is slower than its sheet.
// SPDX-License-Identifier: Apache-2.0
#include "planning/flows.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "doctor/disk.h"

namespace sluice::planning {
namespace {

constexpr char const* cold = "the disk, nothing cached";
constexpr char const* cached = "the disk, all cached";
constexpr char const* decoding = "decoding";
constexpr double most_s = 0.5;

class OpenFile {
  public:
    OpenFile(std::string const& path, int flags)
        : fd_(::open(path.c_str(), O_RDONLY | O_CLOEXEC | flags)) {}
    OpenFile(OpenFile const&) = delete;
    OpenFile& operator=(OpenFile const&) = delete;
    ~OpenFile() {
        if (fd_ >= 0) ::close(fd_);
    }
    bool is_open() const { return fd_ >= 0; }
    Status read(std::uint64_t at, std::span<std::byte> out) const {
        while (!out.empty()) {
            ::ssize_t const n = ::pread(fd_, out.data(), out.size(), static_cast<::off_t>(at));
            if (n <= 0)
                return Error{Code::io,
                             "the file was not read here (its system does not allow it "
                             "past the cache, or it was cut)"};
            out = out.subspan(static_cast<std::size_t>(n));
            at += static_cast<std::uint64_t>(n);
        }
        return {};
    }

  private:
    int fd_;
};

// The file with most bytes: of several the others lie beside it.
std::pair<std::string, std::uint64_t> largest(std::vector<std::string> const& files) {
    std::pair<std::string, std::uint64_t> best;
    for (std::string const& file : files) {
        std::error_code error;
        std::uint64_t const size = std::filesystem::file_size(file, error);
        if (!error && size > best.second) best = {file, size};
    }
    return best;
}

PlanFlow flow(char const* name, double bytes) {
    PlanFlow f;
    f.name = name;
    f.bytes = static_cast<std::uint64_t>(bytes);
    return f;
}

void take(PlanFlow& f, Result<MeasuredRate> const& rate, std::string basis) {
    if (!rate || !rate->taken() || rate->value() <= 0) {
        f.not_taken = rate ? rate->not_taken : rate.error().text();
        if (f.not_taken.empty()) f.not_taken = "it took no time";
        return;
    }
    f.per_s = rate->value();
    f.s = static_cast<double>(f.bytes) / f.per_s;
    f.basis = std::move(basis);
    if (!rate->quiet()) f.basis += "; not on a quiet machine";
}

PlanFlow const* find(std::vector<PlanFlow> const& flows, std::string_view name) {
    auto const at = std::ranges::find(flows, name, &PlanFlow::name);
    return at != flows.end() && at->not_taken.empty() ? &*at : nullptr;
}

std::string longest(std::string const& when, std::vector<PlanFlow const*> const& some) {
    double all = 0;
    PlanFlow const* most = nullptr;
    for (PlanFlow const* f : some) {
        if (!f) continue;
        all += f->s;
        if (!most || f->s > most->s) most = f;
    }
    if (!most) return {};
    return fmt::format("{}: {} takes longest, {:.3g} s of {:.3g} s one after the other", when,
                       most->name, most->s, all);
}

}  // namespace

Result<std::vector<PlanFlow>> disk_flows(std::vector<std::string> const& files, double stored_bytes,
                                         Progress const& progress) {
    std::vector<PlanFlow> out{flow(cold, stored_bytes), flow(cached, stored_bytes)};
    // Named, because lambdas of C++20 take no bindings by reference everywhere.
    std::pair<std::string, std::uint64_t> const file_of = largest(files);
    std::string const& path = file_of.first;
    std::uint64_t const size = file_of.second;
    if (size < doctor::in_order_bytes) {
        for (PlanFlow& f : out) f.not_taken = "the files are smaller than the 4 MB of one read";
        return out;
    }
    doctor::DiskTime time;
    time.most_s = most_s;
    time.progress = progress;
    auto const rate_of = [&](OpenFile const& file) {
        return doctor::read_in_order(
            {size, [&](std::uint64_t at, std::span<std::byte> to) { return file.read(at, to); }},
            time);
    };
    OpenFile const direct(path, O_DIRECT), usual(path, 0);
    if (direct.is_open()) {
        auto const rate = rate_of(direct);
        if (!rate && rate.error().code == Code::cancelled) return rate.error();
        take(out[0], rate, "its file read in order, past the cache");
    } else {
        out[0].not_taken = "this file system does not read past the cache";
    }
    // Once to fill the cache.
    auto const first = rate_of(usual);
    if (!first && first.error().code == Code::cancelled) return first.error();
    take(out[1], rate_of(usual), "the same out of the system's cache, one thread");
    return out;
}

void add_flows(std::vector<PlanFlow>& flows, FlowTimes const& t) {
    if (t.cached_load_s > 0) {
        // All threads read; the probe was one.
        PlanFlow const* const reading = find(flows, cached);
        double const read_s = reading ? reading->s / std::max(1, t.threads) : 0;
        PlanFlow f = flow(decoding, 0);
        f.s = std::max(0.0, t.cached_load_s - read_s);
        f.basis = "a band loaded twice in a row, without its reading";
        flows.push_back(std::move(f));
    }
    if (t.work_s > 0) {
        PlanFlow f = flow("the work", 0);
        f.s = t.work_s;
        f.basis = t.work;
        flows.push_back(std::move(f));
    }
    if (t.up == 0) return;
    for (Interconnect const& link : pcie_links()) {
        PlanFlow f = flow(link.name.c_str(), static_cast<double>(t.up));
        f.per_s = gpu_share::link * link.bytes_per_s;
        f.s = static_cast<double>(f.bytes) / f.per_s;
        f.basis = fmt::format("to a GPU, {:.0f} % of it; estimated", 100 * gpu_share::link);
        flows.push_back(std::move(f));
    }
}

std::vector<std::string> bottlenecks_of(std::vector<PlanFlow> const& flows) {
    std::vector<std::string> out;
    auto const add = [&](std::string text) {
        if (!text.empty()) out.push_back(std::move(text));
    };
    PlanFlow const *const disk = find(flows, cold), *const memory = find(flows, cached),
                          *const values = find(flows, decoding),
                          *const work = find(flows, "the work"),
                          *const pcie = find(flows, "PCIe 4 x16");
    if (disk) add(longest("nothing cached", {disk, values, work}));
    add(longest("all cached", {memory, values, work}));
    if (pcie)
        add(longest("with a GPU behind PCIe 4, its own work left out",
                    {disk ? disk : memory, values, pcie}));
    return out;
}

}  // namespace sluice::planning
