// Centres of mass and phase contrast as results: maps, and pictures of fields.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/stem4d/job.h"

namespace sluice::cli {

/// The results of a series, which grow member by member; their names begin with that of the part,
/// if that has one.
class MomentOutput {
  public:
    /// `ricom`: its kernel, of members with phase contrast; 0: it is not wanted.
    MomentOutput(Stem4dJob const& job, std::string part, index ricom = 0)
        : job_(job), part_(std::move(part)), ricom_(ricom) {}

    /// Tells `json`, the notes and the figures of `r` of it, too.
    Status add(stem4d::CenterOfMass const& com, std::optional<stem4d::PhaseContrast> const& phase,
               Scan const& scan, index member, Json& json, JobReport& r);
    std::vector<ResultImage> take() && { return std::move(images_); }

  private:
    // One map of the result, and the value that is drawn from in both directions.
    struct Part {
        ScanMap const* map;
        std::optional<double> middle = {};
    };
    static std::vector<Part> parts_of(stem4d::CenterOfMass const& com);
    static std::vector<Part> parts_of(stem4d::PhaseContrast const& phase);
    Status add_maps(std::vector<Part> const& parts, Scan const& scan, index member);
    void draw(char const* name, Array<double> const& row, Array<double> const& col,
              stem4d::Point middle, char const* title, Scan const& scan, index member,
              stem4d::CenterOfMass const& com, JobReport& r) const;
    void tell(stem4d::PhaseContrast const& phase, Scan const& scan, index member, Json& json,
              JobReport& r) const;

    Stem4dJob const& job_;
    std::string part_;
    index ricom_;
    std::vector<ResultImage> images_ = {};
    std::vector<std::optional<figure::Limits>> limits_ = {};
    bool turned_ = false;
};

constexpr char const* ricom_words =
    "also riCOM, the field integrated over points within so many rows and columns; 0: not";
/// Fails where it is asked for without phase contrast.
Status check_ricom(index kernel, bool phase);

}  // namespace sluice::cli
