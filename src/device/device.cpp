// Devices by name.
// SPDX-License-Identifier: Apache-2.0
#include "sluice/device.h"

#include <sched.h>

#include <algorithm>

#include "device/isa.h"
#include "device/remote.h"

namespace sluice {
namespace {

int processors() {
    cpu_set_t set;
    CPU_ZERO(&set);
    if (::sched_getaffinity(0, sizeof set, &set) != 0) return 1;
    return std::max(1, CPU_COUNT(&set));
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

Result<Device> Device::cuda() {
    SLUICE_TRY([[maybe_unused]] RemoteDevice * gpu, cuda_device());
    Device d = cpu();
    d.kind_ = Kind::cuda;
    return d;
}

Result<Device> Device::named(std::string const& name, int threads) {
    if (name == "reference") return reference();
    if (name == "cpu") return cpu(threads);
    if (name == "fake") return fake();
    if (name == "cuda") return cuda();
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
            return "cuda";
    }
    return "?";
}

Result<RemoteDevice*> remote_device(Device const& device) {
    expects(device.remote());
    if (device.kind() == Device::Kind::cuda) return cuda_device();
    return static_cast<RemoteDevice*>(&fake_device());
}

}  // namespace sluice
