// analyze(): any set of virtual images, patterns, centres of mass and disks in one pass over a
// scan. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string_view>

#include "sluice/disks.h"

namespace sluice::stem4d {

/// Each part has a name, which begins the names of what it finds; one part of a kind needs none.
struct ImagesPart {
    std::string name = {};
    std::vector<Detector> detectors = {};  ///< no two of a plan have one name
    bool mean = false;                     ///< as Options::mean
};
struct PatternsPart {
    std::string name = {};
    std::vector<Pattern> kinds = {Pattern::mean};
    std::optional<std::array<index, 2>> at = {};  ///< one point (row, col) of the full scan
    /// Points that take part: [row][col] of the full scan or of what was loaded; empty: all.
    Array<float> where = {};
    std::string where_file = {};  ///< for errors
};
struct MomentsPart {
    std::string name = {};
    std::optional<Detector> within = {};
    /// Of phase contrast: "auto", "file", "none", "DEGREES" or "DEGREES,transpose"; empty: the
    /// file's, where it says one, else none.
    std::optional<std::string> rotation = {};
    bool periodic = false;
    std::optional<Descan> descan = {};
};
struct DisksPart {
    std::string name = {};
    std::optional<ProbeTemplate> probe = {};
    /// Else it is fitted to the disk of this scan in vacuum, which is opened like this; empty: to
    /// the scan's own direct disk.
    std::string vacuum = {};
    OpenOptions open_vacuum = {};
    TemplateOptions fit = {};
    DiskOptions options = {};
};

/// What is to be found of a scan.
struct AnalysisPlan {
    std::vector<ImagesPart> images = {};
    std::vector<PatternsPart> patterns = {};
    std::vector<MomentsPart> moments = {};
    std::vector<DisksPart> disks = {};
    std::optional<Disk> disk = {};  ///< the bright-field disk; Options::disk counts for more
};

/// "com_row", or "inner_com_row" of a part that is called "inner".
std::string name_in(std::string_view part, std::string_view what);

struct DecidedDisks {
    FittedTemplate fitted;
    DiskSetup setup;
};
/// What is decided before the pass, on a sample of the scan.
struct Decided {
    std::optional<Disk> disk = {};         ///< where a detector needs one
    std::vector<DecidedDisks> disks = {};  ///< [part]
    std::vector<std::string> why = {};     ///< a sentence for each decision and its sample
};
Result<Decided> decide_analysis(Scan const& scan, AnalysisPlan const& plan,
                                Options const& options = {});

struct Moments {
    CenterOfMass com;
    std::optional<PhaseContrast> phase = {};
};

/// Each as its own function gives it, bit by bit, in the order of the plan.
struct Analyzed {
    std::vector<VirtualImages> images = {};                      ///< [part]
    std::vector<std::vector<DiffractionPattern>> patterns = {};  ///< [part][kind]
    std::vector<Moments> moments = {};                           ///< [part]
    std::vector<BraggVectors> disks = {};                        ///< [part]
};

/// One pass over the data. Options::mean has no say, parts have their own. The progress counts
/// bytes of the files; of a scan in memory whose disks are found, units of 16 frames.
Result<Analyzed> analyze(Scan const& scan, AnalysisPlan const& plan, Decided const& decided,
                         Options const& options = {});
/// The same after decide_analysis().
Result<Analyzed> analyze(Scan const& scan, AnalysisPlan const& plan, Options const& options = {});

/// analyze() of a scan whose frames still come (Dataset::feed): it ends when its feed does, and has
/// the bits of analyze() on the same frames, as a scan of files that lack the frames that did not
/// come. What samples tell is decided before: `decided` has the disk where a detector needs one. On
/// processors.
Result<Analyzed> analyze_live(Scan& scan, AnalysisPlan const& plan, Decided const& decided,
                              Options const& options = {});

/// analyze() in parts, for several processes, as ProductParts has them: everyone loads the same
/// scan in the same way and begins with the same plan and decisions.
class AnalysisParts {
  public:
    /// The scan must outlive it. Errors: those of analyze(); a device that is not a processor.
    static Result<AnalysisParts> begin(Scan const& scan, AnalysisPlan const& plan,
                                       Decided const& decided, Options const& options = {});
    AnalysisParts(AnalysisParts&&) noexcept;
    AnalysisParts& operator=(AnalysisParts&&) noexcept;
    ~AnalysisParts();

    /// How many groups there are; it depends on the scan alone.
    index groups() const;
    /// Folds groups [first, first + count), and packs what they give. Calls follow each other.
    Result<std::vector<std::byte>> part(index first, index count);
    /// Takes what part() packed. Errors: damaged, of another scan's shape, groups that have come.
    Status add(Bytes part);
    /// Errors: groups are missing.
    Result<Analyzed> finish() &&;

  private:
    struct State;
    explicit AnalysisParts(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

/// A plan out of a TOML file, and the scan that it is for (docs/guide/analyze.md has the keys).
struct AnalysisConfig {
    std::vector<std::string> scan = {};  ///< paths; empty: the caller gives one
    OpenOptions open = {};
    LoadOptions load = {};
    std::string mask = {};          ///< the file of load.user_mask
    bool says_how_to_load = false;  ///< it has [open] or [load]
    AnalysisPlan plan = {};
    std::vector<std::string> notes = {};  ///< keys with the name of an earlier version
};
/// Errors name the file, the line, the key and the nearest one. Files that it names are relative to
/// its folder.
Result<AnalysisConfig> read_analysis(std::string const& path);
/// A text, which errors call `name`.
Result<AnalysisConfig> parse_analysis(std::string const& text, std::string const& name,
                                      std::string const& folder = {});
/// A configuration with comments, to begin with.
std::string_view example_analysis();

}  // namespace sluice::stem4d
