// --preview: what a search finds in chosen patterns, drawn before the search of a whole scan.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/shell/outputs.h"
#include "app/cli/shell/verb.h"
#include "figure/drawing.h"
#include "sluice/disks.h"

namespace sluice::cli {

struct DiskPreview {
    std::vector<std::string> points;  ///< "ROW,COL" of the full scan

    void add(Verb const& app);
    bool wanted() const { return !points.empty(); }

    struct Shown {
        std::string point, file;
        stem4d::BraggVectors found = {};  ///< of that pattern alone
        figure::Drawing drawing = {};
    };
    /// Finds the disks of these patterns, with the bits of the whole search. Files are called
    /// "STEM.preview-ROW-COL.png". `name` of the scan is for the headings.
    Result<std::vector<Shown>> show(Scan const& scan, stem4d::DiskSetup const& setup,
                                    Device const& device, std::string const& name,
                                    std::string const& stem) const;
};

/// "9 disks", or "no disks: no counts".
std::string words_of(DiskPreview::Shown const& shown);

/// Writes the pictures, and tells of them.
Status finish_preview(std::vector<DiskPreview::Shown> const& shown,
                      std::vector<std::string> const& why, bool json);

}  // namespace sluice::cli
