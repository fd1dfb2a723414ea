// What the stem4d commands share: the scans of a series, one after the other.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/shell/terminal.h"
#include "app/cli/stem4d/data_options.h"
#include "app/cli/stem4d/reference_options.h"
#include "app/cli/stem4d/results.h"
#include "sluice/stem4d_series.h"

namespace sluice::cli {

struct Stem4dJob {
    DataOptions data;
    OutputOptions output;
    std::string disk;  ///< "ROW:COL:RADIUS" instead of measuring it
    /// Of verbs that add them.
    stem4d::ReferencesWish references = {};
    bool single_pass = false;  ///< of verbs that look at each frame once
    bool write_tables = false;
    /// Of the detectors, where all have one: the rings' centre of tables that are written.
    std::optional<stem4d::Point> center = {};
    bool warns = true;  ///< else another rank prints the warnings

    /// Where a file can name the scans and the folder, they are not needed.
    void add(Verb const& app, bool needs_paths = true);
    /// The same for a verb that looks at each frame once, and whose answers tables may have.
    void add_single_pass(Verb const& app);
};

/// Loads the members one after the other and calls work(scan, options, member number); what it
/// reports as JSON is collected.
struct JobReport {
    struct Figure {
        std::string path;                  ///< without an ending
        std::vector<std::string> endings;  ///< a file for each, as in ".png"
        figure::Drawing drawing;
        Provenance provenance;
    };
    Json json;  ///< "members", "notes", "seconds", ...
    std::vector<std::string> notes = {};
    std::optional<Provenance> provenance = {};
    std::vector<Figure> figures = {};     ///< saved when everything has been computed
    std::vector<std::string> files = {};  ///< that the work saved itself
    /// Files of other kinds, saved when everything has been computed.
    std::vector<std::pair<std::string, std::function<Status(Provenance const&)>>> writers = {};
    std::vector<std::string> lines = {};  ///< for people, after those of the images
    /// What else the files say of where they come from.
    std::vector<std::pair<std::string, std::string>> fields = {};

    /// A disk that detectors were measured by: in the report, the notes and the files.
    void add(stem4d::Disk const& disk, index member);
};
Result<JobReport> for_each_scan(Stem4dJob& job,
                                std::function<Status(Scan const&, stem4d::Options const&,
                                                     index member, JobReport&)> const& work);

/// "FOLDER/NAME" without an ending, with the member's number when there are several.
std::string figure_path(Stem4dJob const& job, std::string const& name, index member, index members);

/// Results that are one file of HDF5.
struct ResultGroup {
    std::string name;  ///< of that file
    std::vector<ResultImage> images = {};
    bool has_own_file = false;  ///< of HDF5, which the work saved itself
};

/// Writes all that there is, in the order of the names of files that it gives.
Result<std::vector<std::string>> save_all(Stem4dJob const& job,
                                          std::vector<ResultGroup> const& groups,
                                          JobReport const& report);

/// Saves, prints, and sets the exit code.
Status finish(Stem4dJob const& job, std::vector<ResultGroup> const& groups, JobReport& report);
Status finish(Stem4dJob const& job, std::string const& name, std::vector<ResultImage> const& images,
              JobReport& report);

}  // namespace sluice::cli
