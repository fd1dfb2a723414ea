// Devices by name.
// SPDX-License-Identifier: Apache-2.0
#include "sluice/device.h"

#include <sched.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "device/backend.h"
#include "device/isa.h"

namespace sluice {
namespace {

int processors() {
    cpu_set_t set;
    CPU_ZERO(&set);
    if (::sched_getaffinity(0, sizeof set, &set) != 0) return 1;
    return std::max(1, CPU_COUNT(&set));
}

// Of "cuda" and "cuda:1".
std::optional<int> gpu_of(std::string_view name) {
    if (name == "cuda") return 0;
    if (!name.starts_with("cuda:")) return {};
    name.remove_prefix(5);
    int ordinal = 0;
    auto const [end, e] = std::from_chars(name.data(), name.data() + name.size(), ordinal);
    if (e != std::errc() || end != name.data() + name.size() || ordinal < 0) return {};
    return ordinal;
}

}  // namespace

Device Device::reference() {
    Device d;
    d.kind_ = Kind::reference;
    return d;
}

Device Device::cpu(int threads) {
    return cpu(threads, chosen_isa());
}

Device Device::cpu(int threads, Isa isa) {
    Device d;
    d.threads_ = threads > 0 ? threads : processors();
    d.isa_ = isa;
    return d;
}

Device Device::fake() {
    Device d;
    d.kind_ = Kind::fake;
    return d;
}

Result<Device> Device::cuda(int ordinal) {
    SLUICE_TRY([[maybe_unused]] auto const gpu, cuda_backend(ordinal));
    Device d = cpu();
    d.kind_ = Kind::cuda;
    d.ordinal_ = ordinal;
    return d;
}

Device Device::with_threads(int threads) const {
    return kind_ == Kind::cpu && threads > 0 ? cpu(threads, isa_) : *this;
}

Device Device::host(int threads) const {
    return kind_ == Kind::cpu ? *this : cpu(threads);
}

Result<Device> Device::named(std::string const& name, int threads) {
    if (name == "reference") return reference();
    if (name == "cpu") return cpu(threads);
    if (name == "fake") return fake();
    if (auto const gpu = gpu_of(name)) return cuda(*gpu);
    if (name == "best") {
        auto gpu = cuda();
        return gpu ? *gpu : cpu(threads);
    }
    std::string known = "reference, cpu, fake, cuda, best";
    for (Isa isa : compiled_isas()) {
        if (!runs_here(isa)) continue;
        std::string const full = "cpu:" + std::string(name_of(isa));
        if (name == full) return cpu(threads, isa);
        known += ", " + full;
    }
    return Error{Code::invalid_argument,
                 "no device '" + name + "' on this machine; there are " + known};
}

std::string Device::name() const {
    switch (kind_) {
        case Kind::reference:
            return "reference";
        case Kind::cpu:
            return "cpu:" + std::string(name_of(isa_));
        case Kind::fake:
            return "fake";
        case Kind::cuda:
            return ordinal_ == 0 ? "cuda" : "cuda:" + std::to_string(ordinal_);
    }
    return "?";
}

}  // namespace sluice
