// Where the template of disks comes from: a file, a scan in vacuum, numbers, or the scan itself.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/stem4d/data_options.h"
#include "sluice/probe_template.h"

namespace sluice::cli {

struct TemplateSource {
    std::string file, vacuum, radius, save;
    stem4d::TemplateOptions fit;

    void add(Verb const& app);
    /// The long names of what add() adds.
    static std::vector<std::string> names();
    /// Errors of make() that show without a scan: wishes that exclude each other, files that cannot
    /// be read.
    Status check(DataOptions const& data) const;
    /// A fitted template, or one without errors and a disk. `data` says how a scan in vacuum is
    /// opened.
    Result<stem4d::FittedTemplate> make(Scan const& scan, DataOptions const& data,
                                        stem4d::Options const& run) const;

  private:
    Status check_wishes() const;
};

}  // namespace sluice::cli
