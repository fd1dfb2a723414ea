// Base data as matRad reads them.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <filesystem>
#include <limits>
#include <numbers>

#include "save/mat.h"
#include "sluice/proton_base_data.h"

namespace sluice::proton {
namespace {

using save::mat_column;
using save::mat_number;
using save::mat_row;
using save::MatStructure;
using save::MatValue;

// In mm, as all of matRad's lengths. The beam is the same at every distance.
constexpr double source_distance = 10000, nozzle_distance = 2000, farthest = 20000;

MatValue one(MatStructure fields) {
    return std::vector<MatStructure>{std::move(fields)};
}

MatValue focus(double sigma) {
    double const fwhm = 2 * std::sqrt(2 * std::numbers::ln2) * sigma;
    MatStructure const emittance = {{"type", std::string("bigaussian")},
                                    {"sigmaX", mat_number(sigma)},
                                    {"divX", mat_number(0)},
                                    {"corrX", mat_number(0)},
                                    {"sigmaY", mat_number(sigma)},
                                    {"divY", mat_number(0)},
                                    {"corrY", mat_number(0)}};
    return one({{"dist", mat_row({0, farthest})},
                {"sigma", mat_row({sigma, sigma})},
                {"SisFWHMAtIso", mat_number(fwhm)},
                {"emittance", one(emittance)}});
}

MatStructure entry(BaseEnergy const& b, double spot_sigma) {
    MatStructure const spectrum = {{"type", std::string("gaussian")},
                                   {"mean", mat_number(b.energy)},
                                   // In percent.
                                   {"sigma", mat_number(100 * b.energy_spread / b.energy)}};
    return {{"energy", mat_number(b.energy)},      {"range", mat_number(b.range)},
            {"peakPos", mat_number(b.peak)},       {"offset", mat_number(0)},
            {"depths", mat_column(b.depth)},       {"Z", mat_column(b.dose)},
            {"sigma1", mat_column(b.sigma)},       {"sigma2", mat_column(b.halo_sigma)},
            {"weight", mat_column(b.halo_weight)}, {"LET", mat_column(b.let)},
            {"initFocus", focus(spot_sigma)},      {"energySpectrum", one(spectrum)}};
}

std::array<std::pair<char const*, std::vector<double> const*>, 5> columns_of(BaseEnergy const& b) {
    return {{{"dose", &b.dose},
             {"sigma", &b.sigma},
             {"halo_sigma", &b.halo_sigma},
             {"halo_weight", &b.halo_weight},
             {"LET", &b.let}}};
}

// "protons_NAME.mat" is the machine NAME.
std::string machine_name(std::string const& path) {
    std::string name = std::filesystem::path(path).stem();
    if (name.starts_with("protons_")) name.erase(0, 8);
    return name;
}

}  // namespace

Status save_base_data(std::string const& path, std::vector<BaseEnergy> const& data,
                      double spot_sigma, std::string const& description) {
    if (!(spot_sigma > 0 && spot_sigma < 1000))
        return Error{Code::invalid_argument, "a spot's sigma must be above 0 and below 1000 mm"};
    std::vector<MatStructure> entries;
    for (BaseEnergy const& b : data) {
        for (auto const& [name, values] : columns_of(b))
            if (values->size() != b.depth.size())
                return Error{
                    Code::invalid_argument,
                    fmt::format("the base data of {} MeV have {} depths and {} numbers of {} (they "
                                "go together, depth by depth) give as many",
                                b.energy, b.depth.size(), values->size(), name)};
        entries.push_back(entry(b, spot_sigma));
    }
    double const fwhm = 2 * std::sqrt(2 * std::numbers::ln2) * spot_sigma;
    // matRad takes the first focus that is wider than the table says, not one of equal width.
    double const least = 0.99 * fwhm;
    constexpr double widest = std::numeric_limits<double>::max();
    MatStructure const meta = {
        {"radiationMode", std::string("protons")},
        {"dataType", std::string("doubleGauss")},
        {"created_by", std::string("sluice")},
        {"description", description},
        {"machine", machine_name(path)},
        {"SAD", mat_number(source_distance)},
        {"BAMStoIsoDist", mat_number(nozzle_distance)},
        {"LUT_bxWidthminFWHM", save::mat_rows({{0, widest}, {least, least}})},
        {"fitAirOffset", mat_number(0)}};
    return save::save_mat(path, {"machine", one({{"meta", one(meta)}, {"data", entries}})});
}

}  // namespace sluice::proton
