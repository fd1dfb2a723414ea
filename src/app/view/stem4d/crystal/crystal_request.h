// Requests about disks and strain (docs/protocol.md), checked by the tables of the command line.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "app/view/fields.h"
#include "app/view/wire.h"
#include "sluice/disks.h"
#include "sluice/strain.h"

namespace sluice::app {

/// What disks are found with.
struct DiskWish {
    /// Of a template by numbers, as `--template-radius` has it; else it is fitted to the scan.
    std::optional<double> radius = {};
    double edge_width = 1;
    stem4d::DiskOptions options = {};
};
struct DisksRequest {
    DiskWish disks;
    /// By the plan of these options, which is at hand while a slider is dragged: its template,
    /// background and decisions, but where `disks` says otherwise.
    std::optional<DiskWish> plan = {};
    index row = 0, col = 0;
};
struct StrainRequest {
    DiskWish disks;
    stem4d::LatticeOptions lattice;
    /// Without the reference, which is the median over `region`, or over the scan.
    stem4d::StrainOptions strain;
    std::optional<stem4d::Detector> region = {};
};

/// The part that both have, of an object's field. Errors name it.
Result<DiskWish> disk_wish_of(Fields const& fields, std::string const& group = "disks");
/// All but the region, which is a shape.
Result<StrainRequest> strain_request_of(Fields const& fields);

/// Everything that the answer depends on, defaults included.
Json echo(DiskWish const& wish);
Json echo(StrainRequest const& request);

}  // namespace sluice::app
