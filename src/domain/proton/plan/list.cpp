// Lists of spots: a header of columns, a line for each spot.
// SPDX-License-Identifier: Apache-2.0
#include "domain/proton/plan/list.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/file.h"
#include "base/nearest.h"
#include "domain/proton/list_lines.h"
#include "domain/proton/plan/dicom.h"

namespace sluice::proton {
namespace {

constexpr std::string_view of_spots[] = {"x_mm", "y_mm", "mu", "protons"};

// But for its layers.
bool same_beam(IonBeam const& a, IonBeam const& b) {
    return a.number == b.number && a.name == b.name && a.gantry == b.gantry && a.couch == b.couch &&
           a.isocentre == b.isocentre && a.source == b.source && a.snout == b.snout;
}

bool same_layer(PlanLayer const& a, PlanLayer const& b) {
    return a.energy == b.energy && a.fwhm == b.fwhm && a.paintings == b.paintings &&
           a.shifters == b.shifters;
}

/// Spots, line by line.
class PlanList {
  public:
    PlanList(std::string_view text, std::string const& name, PlanDefaults const& defaults)
        : lines_(text, name), defaults_(defaults) {}

    Result<IonPlan> read() {
        SLUICE_CHECK(read_header());
        while (lines_.next()) SLUICE_CHECK(take_line());
        if (plan_.beams.empty()) return wrong("no spot follows the header; give a line for each");
        SLUICE_CHECK(complete());
        return std::move(plan_);
    }

  private:
    ListLines lines_;
    PlanDefaults const& defaults_;
    index last_layer_ = 0;
    std::vector<PlanColumn const*> columns_;
    PlanLine now_;
    IonPlan plan_;

    Error wrong(std::string const& text) const { return lines_.wrong(text); }

    bool has(std::string_view column) const {
        return std::ranges::any_of(columns_, [&](auto* c) { return c->name == column; });
    }

    Status read_header() {
        if (!lines_.next())
            return wrong("no header; begin with the columns' names, as in energy_MeV,x_mm,y_mm,mu");
        std::vector<std::string> known;
        for (PlanColumn const& c : plan_columns()) known.emplace_back(c.name);
        for (std::string_view const name : lines_.fields()) {
            auto const found = std::ranges::find(plan_columns(), name, &PlanColumn::name);
            if (found == plan_columns().end())
                return wrong(fmt::format("there is no column '{}'; did you mean '{}'?", name,
                                         nearest(name, known)));
            if (has(name)) return wrong(fmt::format("two columns {}; leave one out", name));
            columns_.push_back(&*found);
        }
        for (PlanColumn const& c : plan_columns())
            if (c.needed && !has(c.name))
                return wrong(fmt::format("column {} is missing; add it", c.name));
        if (has("mu") == has("protons"))
            return wrong(
                "a list has a column mu or a column protons, and not both; give one of them");
        if (has("sad_x_mm") != has("sad_y_mm"))
            return wrong("columns sad_x_mm and sad_y_mm belong together; add the other one");
        plan_.unit = has("mu") ? MetersetUnit::mu : MetersetUnit::protons;
        if (has("sad_x_mm")) return {};
        auto const given = both(defaults_.source);
        if (!given)
            return wrong("columns sad_x_mm and sad_y_mm are missing; add them, or give source");
        now_.beam.source = *given;
        return {};
    }

    Status take_line() {
        auto const fields = lines_.fields();
        if (fields.size() != columns_.size())
            return wrong(fmt::format("{} values for {} columns; give one for each", fields.size(),
                                     columns_.size()));
        for (std::size_t i = 0; i < fields.size(); ++i)
            if (!columns_[i]->read(fields[i], now_))
                return wrong(
                    fmt::format("'{}' is no value for {}; correct it, or leave the column out",
                                fields[i], columns_[i]->name));
        SLUICE_CHECK(take_plan());
        take_beam();
        if (auto const again = std::ranges::find(plan_.beams, now_.beam.number, &IonBeam::number);
            &*again != &plan_.beams.back())
            return wrong(
                fmt::format("beam {} has other values than before, or its lines do not "
                            "follow each other",
                            now_.beam.number));
        take_layer();
        plan_.beams.back().layers.back().spots.push_back(now_.spot);
        return {};
    }

    Status take_plan() {
        bool const first = plan_.beams.empty();
        if (!now_.patient_position.empty() && !is_position(now_.patient_position))
            return wrong(fmt::format("patient_position is '{}', and one of HFS, HFP, FFS, FFP",
                                     now_.patient_position));
        if (!first && (plan_.patient_position != now_.patient_position ||
                       plan_.fractions != now_.fractions || plan_.label != now_.label))
            return wrong("label, patient_position and fractions are the same in all lines");
        plan_.patient_position = now_.patient_position;
        plan_.fractions = now_.fractions;
        plan_.label = now_.label;
        return {};
    }

    void take_beam() {
        if (!plan_.beams.empty() && same_beam(plan_.beams.back(), now_.beam)) return;
        plan_.beams.push_back(now_.beam);
    }

    void take_layer() {
        auto& layers = plan_.beams.back().layers;
        bool const same = !layers.empty() && same_layer(layers.back(), now_.layer) &&
                          last_layer_ == now_.layer_number;
        last_layer_ = now_.layer_number;
        if (!same) layers.push_back(now_.layer);
    }

    // What the columns leave open.
    Status complete() {
        if (plan_.patient_position.empty()) plan_.patient_position = defaults_.patient_position;
        if (plan_.patient_position.empty()) {
            plan_.patient_position = "HFS";
            plan_.notes.emplace_back("The list does not say how the patient lies; HFS is taken.");
        }
        auto const given = both(defaults_.fwhm);
        bool untold = false;
        for (IonBeam& b : plan_.beams)
            for (PlanLayer& l : b.layers) {
                if (l.fwhm[0] > 0 && l.fwhm[1] > 0) continue;
                l.fwhm = given.value_or(std::array<double, 2>{});
                untold = untold || !given;
            }
        if (untold)
            plan_.notes.emplace_back(
                "The list does not say how wide spots are (fwhm_x_mm, fwhm_y_mm): it has to be "
                "given.");
        return {};
    }
};

}  // namespace

Result<IonPlan> parse_plan_list(std::string_view text, std::string const& name,
                                PlanDefaults const& defaults) {
    SLUICE_CHECK(check_defaults(defaults));
    return PlanList(text, name, defaults).read();
}

std::string plan_list(IonPlan const& plan) {
    std::string out;
    std::string_view const other = plan.unit == MetersetUnit::mu ? "protons" : "mu";
    auto const add_line = [&](auto text_of) {
        bool first = true;
        for (PlanColumn const& c : plan_columns()) {
            if (c.name == other) continue;
            if (!first) out += ',';
            out += text_of(c);
            first = false;
        }
        out += '\n';
    };
    add_line([](PlanColumn const& c) { return std::string(c.name); });
    PlanLine line;
    line.plan = &plan;
    line.label = plan.label;
    line.patient_position = plan.patient_position;
    line.fractions = plan.fractions;
    for (IonBeam const& b : plan.beams) {
        line.beam = b;
        line.beam.layers.clear();
        line.layer_number = 0;
        for (PlanLayer const& l : b.layers) {
            ++line.layer_number;
            line.layer = l;
            line.layer.spots.clear();
            // Only the last columns change from spot to spot.
            std::string shared;
            for (PlanColumn const& c : plan_columns())
                if (std::ranges::find(of_spots, c.name) == std::end(of_spots))
                    shared += c.text(line) + ",";
            for (PlanSpot const& s : l.spots)
                out += fmt::format("{}{},{},{}\n", shared, s.x, s.y, s.meterset);
        }
    }
    return out;
}

Status save_plan_list(std::string const& path, IonPlan const& plan) {
    return save_text(path, plan_list(plan));
}

}  // namespace sluice::proton
