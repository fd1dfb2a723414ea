// Finds the bright-field disk: of all circles with an edge the one that the pattern is symmetric
// about. SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "domain/stem4d/bright_area.h"
#include "domain/stem4d/disk_candidates.h"
#include "domain/stem4d/disk_edge.h"
#include "domain/stem4d/disk_width.h"

namespace sluice::stem4d {
namespace {

constexpr double least_quality = 0.3, least_significance = 8, least_radius = 1.2,
                 least_filled = 0.6;

struct Choice {
    Edge edge;
    double weight = 0;
    bool hidden = false;  // its edge, all of it, by its neighbours
};

// Counts above the background that have their like on the other side of a point. Bragg disks come
// in pairs about the direct beam (Friedel), however bright they are.
class Symmetry {
  public:
    explicit Symmetry(Image image) : image_(std::move(image)) {
        while (std::max(image_.rows, image_.cols) > 96) image_ = halved(image_), scale_ *= 2;
        double const background = quantile(image_.v, 0.1);
        for (double& v : image_.v) v = std::max(0.0, v - background);
        image_ = smoothed(image_, 1);
    }
    double about(Point center) const {
        double const row = (center.row + 0.5) / scale_ - 0.5,
                     col = (center.col + 0.5) / scale_ - 0.5;
        double sum = 0;
        for (index r = 0; r < image_.rows; ++r)
            for (index c = 0; c < image_.cols; ++c) {
                double const y = 2 * row - static_cast<double>(r),
                             x = 2 * col - static_cast<double>(c);
                if (image_.holds(y, x)) sum += std::min(image_.at(r, c), bilinear(image_, y, x));
            }
        return sum;
    }

  private:
    Image image_;
    double scale_ = 1;
};

bool is_near(Disk const& rough, Disk const& fitted) {
    return std::abs(rough.radius - fitted.radius) < 0.12 * fitted.radius &&
           std::hypot(rough.center.row - fitted.center.row, rough.center.col - fitted.center.col) <
               0.2 * fitted.radius;
}

bool is_elsewhere(Disk const& a, Disk const& b) {
    double const larger = std::max(a.radius, b.radius), smaller = std::min(a.radius, b.radius);
    return smaller < 0.85 * larger ||
           std::hypot(a.center.row - b.center.row, a.center.col - b.center.col) > 0.3 * smaller;
}

std::vector<Choice> choices_of(Image const& image) {
    Symmetry const symmetry(image);
    std::vector<Choice> out;
    for (Disk const& rough : disk_candidates(image)) {
        if (std::ranges::any_of(out, [&](Choice const& c) { return is_near(rough, c.edge.disk); }))
            continue;
        auto const edge = edge_near(image, rough);
        if (!edge || !image.holds(edge->disk.center.row, edge->disk.center.col)) continue;
        if (edge->significance < least_significance || edge->disk.radius < least_radius ||
            edge->filled < least_filled)
            continue;
        out.push_back({*edge, edge->height * edge->quality() * edge->quality() *
                                  symmetry.about(edge->disk.center)});
    }
    std::ranges::stable_sort(out, std::greater<>{}, &Choice::weight);
    return out;
}

// Whether a disk touches one of its own size in the middle of a circle around both, and the circle.
bool is_neighbour_in(Disk const& d, Disk const& group) {
    double const away =
        std::hypot(d.center.row - group.center.row, d.center.col - group.center.col);
    return std::abs(away - 2 * d.radius) < 0.4 * d.radius && d.radius > 0.28 * group.radius &&
           d.radius < 0.45 * group.radius;
}

// The widest angle between neighbouring directions; a full turn for none.
double widest_gap(std::vector<double> angles) {
    constexpr double turn = 2 * std::numbers::pi;
    if (angles.empty()) return turn;
    std::ranges::sort(angles);
    double widest = angles.front() + turn - angles.back();
    for (std::size_t i = 1; i < angles.size(); ++i)
        widest = std::max(widest, angles[i] - angles[i - 1]);
    return widest;
}

// A circle around a disk and neighbours that touch it has disks along its rim, on all sides: the
// one in its middle is meant. Where the neighbours hide all of its edge, they have its radius.
Choice within_its_group(Image const& image, std::vector<Choice> const& choices) {
    Choice best = choices.front();
    Disk const group = best.edge.disk;
    std::vector<Disk> counted;
    std::vector<double> radii;
    std::vector<double> angles;
    for (Choice const& c : choices) {
        Disk const& d = c.edge.disk;
        auto const overlaps = [&](Disk const& o) {
            return std::hypot(o.center.row - d.center.row, o.center.col - d.center.col) < d.radius;
        };
        if (!is_neighbour_in(d, group) || c.edge.quality() < least_quality ||
            std::ranges::any_of(counted, overlaps))
            continue;
        counted.push_back(d);
        radii.push_back(d.radius);
        angles.push_back(
            std::atan2(d.center.row - group.center.row, d.center.col - group.center.col));
    }
    // On all sides: the halves of a disk behind a beam stop are not.
    if (widest_gap(angles) > 2.2) return best;
    double const radius = quantile(radii, 0.5);
    auto const middle = edge_near(image, {group.center, radius});
    if (middle && !is_elsewhere({group.center, radius}, middle->disk) &&
        middle->quality() >= least_quality) {
        best.edge = *middle;
    } else if (best.edge.filled > 0.85) {
        best.edge.disk.radius = radius;
        best.edge.seen = least_quality, best.edge.filled = 1;
        best.hidden = true;
    }
    return best;
}

// Beside a beam stop circles fit into what is left of a disk. The bright area around such a scrap
// is larger than it, and lies on one side; that of a direct beam whose Bragg disks touch it does
// not, for they come in pairs. An edge that is nearly whole does not belong to a scrap. Fitted on
// 700 seeds of the family of the tests, and tried on others.
bool is_scrap(Image const& image, Edge const& edge) {
    constexpr double beyond = 1.3, one_sided = 0.16, whole = 0.7;
    if (edge.quality() >= whole) return false;
    BrightArea const area = bright_area(image, edge.disk);
    return area.size > beyond && area.lone > one_sided;
}

Error refusal(std::string const& why) {
    return {
        Code::not_found,
        fmt::format("the mean pattern shows no bright-field disk ({}); give it with "
                    "--disk ROW:COL:RADIUS, or detectors with center= and r= instead of presets",
                    why)};
}

std::string place_of(Disk const& d) {
    return fmt::format("row {:.1f}, column {:.1f}, radius {:.1f}", d.center.row, d.center.col,
                       d.radius);
}

// The likeliest choice that has an edge. A disk may stand on a hump, but not around one: circles at
// its foot look sharp beside what they hold.
Result<Choice> sharpest(Image const& image, std::vector<Choice>& choices) {
    std::string why;
    while (!choices.empty()) {
        Choice const best = within_its_group(image, choices);
        EdgeWidth const width = edge_width(image, best.edge.disk);
        if (best.hidden || width.is_edge()) return best;
        if (why.empty())
            why = fmt::format(
                "the likeliest one, {}, cannot be told from a smooth hump or ring: its edge is "
                "{:.0f} % of its radius wide, and its inside rises and falls by {:.0f} % of its "
                "height",
                place_of(best.edge.disk), 100 * width.part, 100 * width.unevenness);
        std::erase_if(choices, [&](Choice const& c) {
            return c.edge.disk.radius >= 0.85 * best.edge.disk.radius;
        });
    }
    return refusal(why);
}

}  // namespace

Result<Disk> find_disk(Array<double> const& pattern, std::span<std::uint8_t const> bad) {
    Image const image = repaired(pattern, bad);
    std::vector<Choice> choices = choices_of(image);
    if (choices.empty())
        return refusal(
            "nothing in it has a round edge above the noise; a single bright pixel "
            "counts as a hot one");
    SLUICE_TRY(Choice const best, sharpest(image, choices));
    double quality = best.edge.quality();
    if (quality < least_quality)
        return refusal(
            fmt::format("the likeliest one, {}, shows {:.0f} % of an edge, and {:.0f} % "
                        "are needed",
                        place_of(best.edge.disk), 100 * quality, 100 * least_quality));
    if (is_scrap(image, best.edge))
        return refusal(
            fmt::format("the bright area of the likeliest one, {}, goes on beyond its edge",
                        place_of(best.edge.disk)));
    auto const other = std::ranges::find_if(choices, [&](Choice const& c) {
        return c.edge.disk.radius < 1.4 * best.edge.disk.radius &&
               is_elsewhere(c.edge.disk, best.edge.disk);
    });
    if (other != choices.end()) {
        // Two disks that are about as likely count as no disk.
        quality *= std::min(1.0, 4 * (1 - other->weight / best.weight));
        if (quality < least_quality)
            return refusal(fmt::format("{} is as likely as {}", place_of(other->edge.disk),
                                       place_of(best.edge.disk)));
    }
    Disk found = best.edge.disk;
    found.quality = quality;
    return found;
}

}  // namespace sluice::stem4d
