// Where results go: arrays and pictures with their provenance, and the report on stdout.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "app/cli/shell/outputs.h"
#include "app/cli/shell/verb.h"
#include "figure/figure.h"
#include "sluice/scan.h"

namespace sluice::cli {

struct OutputOptions {
    std::string folder;
    std::vector<std::string> formats = {"npy", "png"};
    std::optional<figure::Map> map;
    std::optional<figure::Scale> scale;
    double low = 0.5, high = 99.8;

    /// Where something else can name the folder, it is not needed.
    void add(Verb const& app, bool needs_folder = true);
    bool wants(std::string_view format) const;
    /// The endings of the pictures that are wanted, as in ".png".
    std::vector<std::string> pictures() const;
};

Provenance provenance_of(Scan const& scan, std::vector<std::string> const& notes);

/// One result of a series, and how it is drawn.
struct ResultImage {
    ScanMap map = {};
    bool of_detector = false;  ///< the scale bar is in mrad, not in nm
    figure::Style style = {};
    Array<double> shown = {};  ///< what pictures are drawn of; empty: the values
    bool drawn = true;         ///< else a figure of several has it
};

/// Saves the images in all formats asked for; the files' names.
Result<std::vector<std::string>> save(std::vector<ResultImage> const& images,
                                      std::string const& job, Provenance const& provenance,
                                      OutputOptions const& options);

/// A style with the user's wishes, for an image of a scan or of its detector.
figure::Style style_of(Scan const& scan, bool of_detector, OutputOptions const& options);
/// The same for pixels `step` mrad or nm apart; 0: not known.
figure::Style style_of(double step, bool of_detector, OutputOptions const& options);

/// {"shape": ..., "min": ..., "max": ..., "mean": ...} over finite values.
Json summary_of(Array<double> const& values);

Json description_of(Scan const& scan);

/// The name of a result as part of a file's name.
std::string file_name_of(std::string const& name);

}  // namespace sluice::cli
