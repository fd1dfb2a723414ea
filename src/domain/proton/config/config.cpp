// Configurations out of TOML.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <numbers>
#include <set>

#include "config/parse.h"
#include "domain/proton/config/beams.h"
#include "domain/proton/config/ct.h"
#include "domain/proton/config/dense.h"
#include "domain/proton/config/fields.h"
#include "domain/proton/config/medium.h"
#include "domain/proton/config/output.h"
#include "domain/proton/config/phantom_fields.h"
#include "domain/proton/guards/guards.h"
#include "sluice/proton_config.h"

namespace sluice::proton {
namespace {

constexpr index most_cells = 20'000'000;

Result<index> count(Table const& grid, double length, double step, std::string_view what) {
    if (!(step > 0) || !(length >= step))
        return grid.error(fmt::format("a {} of {} mm in steps of {} mm", what, length, step));
    double const n = std::ceil(length / step - 1e-9);
    if (n > 100000)
        return grid.error(fmt::format("a {} of {:.0f} steps; give at most 100000", what, n));
    return static_cast<index>(n);
}

void put(Regrid const& other, Config& c, double& depth, double& width) {
    c.phantom.dz = other.steps.dz;
    c.phantom.dx = other.steps.dx;
    c.options.range_step = other.steps.range;
    c.options.angle_step = other.steps.angle;
    depth = other.depth;
    width = other.width;
}

double whole(double length, double step) {
    return std::floor(length / step + 1e-9) * step;
}

// As large as the image, if there is one, unless the keys say otherwise.
Status read_grid(Table grid, CtPlane const* image, Config& c, Regrid const* regrid) {
    if (!image) {
        SLUICE_CHECK(grid.need("depth"));
        SLUICE_CHECK(grid.need("width"));
    }
    GridSize size;
    SLUICE_CHECK(read_fields(grid, grid_size_fields(), size));
    SLUICE_CHECK(read_fields(grid, cell_fields(), c.phantom));
    SLUICE_CHECK(read_fields(grid, step_fields(), c.options));
    SLUICE_CHECK(grid.nothing_else());
    double depth = size.depth.value_or(image ? whole(image->depth(), c.phantom.dz) : 0);
    double width = size.width.value_or(image ? whole(image->width(), c.phantom.dx) : 0);
    if (regrid) put(*regrid, c, depth, width);
    SLUICE_TRY(c.phantom.planes, count(grid, depth, c.phantom.dz, "depth"));
    SLUICE_TRY(c.phantom.columns, count(grid, width, c.phantom.dx, "width"));
    c.phantom.x0 = -c.phantom.width() / 2;
    if (c.phantom.planes * c.phantom.columns > most_cells)
        return grid.error(fmt::format("{} x {} cells; give at most {}", c.phantom.planes,
                                      c.phantom.columns, most_cells));
    return {};
}

Status read_physics(Table physics, Config& c) {
    SLUICE_CHECK(read_fields(physics, water_fields(), c));
    SLUICE_CHECK(read_fields(physics, physics_fields(), c.options));
    return physics.nothing_else();
}

// Along the middle of the beam.
Status check_depth(Table const& root, Config const& c) {
    Physics const physics(c.water);
    for (Beam const& b : c.beams) {
        double const right = c.phantom.x0 + c.phantom.width();
        if (b.x < c.phantom.x0 || b.x >= right)
            return root.error(fmt::format(
                "a beam at x = {} mm, beside the phantom ({} to {} mm); make it wider (grid.width)",
                b.x, c.phantom.x0, right));
        double const need = physics.range(b.energy);
        double has = 0;
        for (index k = 0; k < c.phantom.planes; ++k) {
            double const z = (static_cast<double>(k) + 0.5) * c.phantom.dz;
            double const x = b.x + z * std::tan(b.angle);
            auto const i = static_cast<index>(std::floor((x - c.phantom.x0) / c.phantom.dx));
            if (i < 0 || i >= c.phantom.columns) break;
            has += c.phantom.dz / std::cos(b.angle) *
                   physics.relative_stopping_power(c.phantom.at(k, i), b.energy);
        }
        if (has < need * 1.03)
            return root.error(fmt::format(
                "protons of {} MeV go {:.1f} mm deep in water, and the phantom is {:.1f} mm of "
                "water "
                "along the beam; make it deeper (grid.depth), at least {:.0f} mm of water",
                b.energy, need, has, std::ceil(need * 1.05)));
    }
    return {};
}

Status add_spread_out(Table const& root, std::vector<SobpPlan> const& plans,
                      Progress const& progress, Config& c) {
    Physics const physics(c.water);
    MarchOptions options = c.options;
    options.progress = progress;
    for (SobpPlan const& plan : plans) {
        auto s = spread_out(physics, plan, c.phantom.dz, options);
        if (!s && s.error().code == Code::cancelled) return s.error();
        if (!s) return root.error("sobp: " + s.error().message);
        c.beams.insert(c.beams.end(), s->beams.begin(), s->beams.end());
        c.sobps.push_back(*std::move(s));
    }
    return {};
}

// Beams that part need directions as close as their rays may lie.
void choose_angle_step(Config& c) {
    Physics const physics(c.water);
    std::set<std::array<double, 6>> known;
    double const usual = c.options.angle_step;
    for (Beam const& b : c.beams) {
        if (!(b.divergence > 0)) continue;
        if (!known
                 .insert(
                     {b.energy, b.energy_spread, b.angle, b.sigma_x, b.divergence, b.covariance})
                 .second)
            continue;
        double const own = guards::angle_step_for(physics, c.phantom, b, c.options);
        c.options.angle_step = std::min(c.options.angle_step, own);
    }
    if (c.options.angle_step < usual)
        c.assumed.push_back(
            fmt::format("directions {:.3g} deg apart, for the divergence of the beams "
                        "(grid.angle_step gives another step)",
                        c.options.angle_step * 180 / std::numbers::pi));
}

// How a file is read.
struct Reading {
    Regrid const* regrid = nullptr;
    bool spread = true;  // whether spread-out peaks are laid out
    Device device = Device::cpu();
    Progress progress = {};
};

Result<Config> read_root(Table root, std::string const& folder, Reading const& how) {
    Config c;
    c.options.device = how.device;
    Result<Material> const water = material("water");
    c.phantom.materials.push_back(*water);
    toml::value const all_usual = toml::table();
    SLUICE_TRY(toml::value const* grid, table_at(root, "grid", false));
    SLUICE_TRY(BeamTables beams, read_beams(root, folder));
    SLUICE_TRY(toml::value const* const image, table_at(root, "ct", false));
    // An image gives the size, and everything else has a usual value.
    if (!grid && image) grid = &all_usual;
    if (!grid) SLUICE_CHECK(root.need("grid"));
    SLUICE_TRY(toml::value const* const media, table_at(root, "medium", true));
    SLUICE_TRY(toml::value const* const physics, table_at(root, "physics", false));
    SLUICE_TRY(toml::value const* const dense, table_at(root, "dense", false));
    SLUICE_TRY(toml::value const* const output, table_at(root, "output", false));
    SLUICE_CHECK(root.nothing_else());
    std::optional<Ct> ct;
    if (physics) SLUICE_CHECK(read_physics(Table(root.file(), *physics, "physics"), c));
    if (image) {
        Table table(root.file(), *image, "ct");
        SLUICE_TRY(ct, read_ct(table, folder));
    }
    SLUICE_CHECK(
        read_grid(Table(root.file(), *grid, "grid"), ct ? &ct->plane : nullptr, c, how.regrid));
    if (ct) SLUICE_CHECK(lay_ct(Table(root.file(), *image, "ct"), *ct, c));
    c.beams = std::move(beams.beams);
    c.sweep = beams.sweep;
    std::vector<Box> boxes;
    if (media)
        for (toml::value const& m : media->as_array()) {
            SLUICE_TRY(Box const box, read_medium(Table(root.file(), m, "medium"), c));
            boxes.push_back(box);
        }
    if (Status const laid = lay_boxes(boxes, mean_excitation_energy(c.water), c.phantom); !laid)
        return Table(root.file(), media->as_array().front(), "medium").error(laid.error().message);
    if (dense) {
        for (char const* const key : {"angle_step", "angle_window", "range_step"})
            if (grid->contains(key))
                return wrong(root.file(), grid->at(key),
                             fmt::format("grid.{} belongs to the march; leave it out, and give "
                                         "dense.angles, dense.angle_window and dense.energies",
                                         key));
        SLUICE_CHECK(read_dense(Table(root.file(), *dense, "dense"), c));
    }
    if (output) SLUICE_CHECK(read_output(Table(root.file(), *output, "output"), c));
    if (how.spread) SLUICE_CHECK(add_spread_out(root, beams.plans, how.progress, c));
    SLUICE_CHECK(check_depth(root, c));
    if (!dense && !how.regrid && !grid->contains("angle_step")) choose_angle_step(c);
    return c;
}

Result<Config> parse(std::string const& text, std::string const& name, std::string const& folder,
                     Reading const& how) {
    SLUICE_TRY(toml::value const value, config::parse(text, name));
    return read_root(Table(name, value, ""), folder, how);
}

Result<Config> read(std::string const& path, Reading const& how) {
    SLUICE_TRY(std::string const text, config::read_text(path));
    std::string const folder = std::filesystem::path(path).parent_path();
    return parse(text, path, folder.empty() ? "." : folder, how);
}

}  // namespace

Result<Config> parse_config(std::string const& text, std::string const& name,
                            std::string const& folder, Progress const& progress) {
    return parse(text, name, folder, {.progress = progress});
}

Result<Config> parse_unspread(std::string const& text, std::string const& name) {
    return parse(text, name, {}, {.spread = false});
}

Result<Config> read_config(std::string const& path, Device const& device,
                           Progress const& progress) {
    return read(path, {.device = device, .progress = progress});
}

Result<Config> read_config(std::string const& path, Regrid const& regrid) {
    // On another grid the beams are those of the first one.
    return read(path, {.regrid = &regrid, .spread = false});
}

Steps steps_of(Config const& config) {
    Phantom const& p = config.phantom;
    double const range = config.options.range_step;
    // As the march has it, for one direction.
    double const along = config.beams.empty() ? p.dz : p.dz / std::cos(config.beams[0].angle);
    return {p.dz, range > 0 ? range : along, p.dx, config.options.angle_step};
}

}  // namespace sluice::proton
