// Disks of a scan in parts, for several processes.
// SPDX-License-Identifier: Apache-2.0
#include "sluice/disk_parts.h"

#include "domain/crystal/detect/disk_work.h"
#include "domain/crystal/detect/find_patterns.h"
#include "fold/packed.h"

namespace sluice::stem4d {

struct DiskParts::State {
    Scan const& scan;
    DiskSetup setup;
    Options run;
    std::unique_ptr<crystal::DiskWork> work = {};
    std::unique_ptr<fold::Folding<crystal::FindDiskFrames>> folding = {};
};

DiskParts::DiskParts(std::unique_ptr<State> state) : state_(std::move(state)) {}
DiskParts::DiskParts(DiskParts&&) noexcept = default;
DiskParts& DiskParts::operator=(DiskParts&&) noexcept = default;
DiskParts::~DiskParts() = default;

Result<DiskParts> DiskParts::begin(Scan const& scan, DiskSetup const& setup, Options const& run) {
    auto state = std::make_unique<State>(State{scan, setup, run});
    SLUICE_TRY(state->work, crystal::DiskWork::begin(scan, state->setup, state->run));
    crystal::DiskWork const& work = *state->work;
    state->folding =
        std::make_unique<fold::Folding<crystal::FindDiskFrames>>(work.analysis(), work.units());
    return DiskParts(std::move(state));
}

index DiskParts::groups() const {
    return state_->work->units().groups();
}

Result<std::vector<std::byte>> DiskParts::part(index first, index count) {
    crystal::DiskWork const& work = *state_->work;
    if (first < 0 || count < 0 || first > groups() - count)
        return fold::refuse_range({first, first + count}, groups());
    SLUICE_TRY(auto const part, fold::fold_part(work.units(), work.analysis(),
                                                {first, first + count}, work.run_options()));
    return fold::pack(work.units(), work.analysis(), part);
}

Status DiskParts::add(Bytes packed) {
    crystal::DiskWork const& work = *state_->work;
    SLUICE_TRY(auto part, fold::unpack(work.units(), work.analysis(), packed));
    return fold::add_part(*state_->folding, std::move(part));
}

Result<BraggVectors> DiskParts::finish() && {
    SLUICE_TRY(auto const found, std::move(*state_->folding).finish());
    return state_->work->columns_of_all(found);
}

Result<KnownDisks> DiskParts::finish(LatticeOptions const& options) && {
    SLUICE_CHECK(crystal::check_knows(state_->setup));
    SLUICE_TRY(auto const found, std::move(*state_->folding).finish());
    return crystal::known_disks(found, state_->scan, state_->setup, options, state_->run);
}

}  // namespace sluice::stem4d
