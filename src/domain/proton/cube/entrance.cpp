// Where a beam comes into the image.
// SPDX-License-Identifier: Apache-2.0
#include "domain/proton/cube/entrance.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace sluice::proton::cube {
namespace {

constexpr double tissue = 0.2;  // of the stopping power of water

/// What the ray of a pixel meets.
struct Entry {
    double before = 0;     ///< mm of water above the top of the grid
    bool inside = false;   ///< it comes into the image
    bool at_edge = false;  ///< through tissue
    double skin = 0;       ///< z where tissue begins; the bottom where there is none
};

Entry entry_of(Rays const& rays, Fan const& fan, double from, double bottom, double u, double v,
               bool to_skin) {
    Entry e{.skin = bottom};
    bool met = !to_skin;
    for (double z = from - 0.25; z > bottom; z -= 0.5) {
        Place3 const at{u * fan.frame.spread(0, z), v * fan.frame.spread(1, z), z};
        int const t = rays.tissue_at(at);
        if (t < 0) {
            if (e.inside) break;
            continue;
        }
        auto const stopping = static_cast<double>(rays.at(at).stopping);
        if (!e.inside) e.at_edge = stopping > tissue;
        e.inside = true;
        if (stopping > tissue && !met) {
            e.skin = z + 0.25;
            met = true;
        }
        if (z < fan.top && met) break;
        if (z < fan.top) continue;
        if (stopping > tissue) e.before += 0.5 * stopping;
    }
    return e;
}

// Gaps of 5 mm more or less share a kernel.
void tell_gap(Sheet& sheet, double skin, double protons) {
    if (sheet.before.shifters.empty() || !(protons > 0)) return;
    double const gap = sheet.before.shifters.back().distance - skin / protons;
    sheet.before.gap = std::max(0.0, std::round(gap / 5) * 5);
}

}  // namespace

Status entrance(Patient const& patient, IonBeam const& beam, PreparedBeam& b,
                std::vector<Guard>& guards) {
    Fan const& fan = b.fan;
    Rays const rays(patient, fan.frame);
    double const from = box_of(fan.frame, patient)[2][1];
    double most = 0;
    index all = 0, missing = 0, at_edge = 0;
    for (Sheet& sheet : b.sheets) {
        double skin = 0, protons = 0;
        for (PlanSpot const& s : sheet.spots) {
            Entry const e =
                entry_of(rays, fan, from, b.bottom, s.x, s.y, !sheet.before.shifters.empty());
            if (e.skin > b.bottom) {
                skin += s.meterset * e.skin;
                protons += s.meterset;
            }
            most = std::max(most, e.before);
            ++all;
            missing += !e.inside;
            at_edge += e.at_edge;
        }
        tell_gap(sheet, skin, protons);
    }
    if (most > 2)
        return Error{
            Code::invalid_argument,
            fmt::format("beam {}: {:.0f} mm of water lie before its range shifter or the "
                        "plane of its spots, {:.0f} mm from the isocentre; is the distance "
                        "(IsocenterToRangeShifterDistance) right?",
                        beam.number, most, fan.top)};
    if (missing == all)
        return Error{
            Code::invalid_argument,
            fmt::format("beam {} passes the image by; its isocentre is ({:g}, {:g}, {:g}) "
                        "mm",
                        beam.number, beam.isocentre[0], beam.isocentre[1], beam.isocentre[2])};
    auto const tell = [&](std::string name, index count, std::string text) {
        if (count == 0) return;
        Guard g{.name = std::move(name),
                .value = 100 * static_cast<double>(count) / static_cast<double>(all),
                .unit = "%"};
        g.text = fmt::format("{:.3g} % of the spots of beam {} {}", g.value, beam.number, text);
        guards.push_back(std::move(g));
    };
    tell("spots_beside_image", missing, "pass the image by");
    tell("enters_at_edge", at_edge,
         "come into the image through tissue at its edge: what lies before it is taken as air");
    return {};
}

}  // namespace sluice::proton::cube
