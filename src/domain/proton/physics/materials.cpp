// The materials by name, out of their elements.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <span>

#include "base/nearest.h"
#include "domain/proton/physics/constants.h"
#include "sluice/proton.h"

namespace sluice::proton {
namespace {

struct Element {
    double z, a;
};
std::map<std::string_view, Element> const elements = {
    {"H", {1, 1.008}},    {"C", {6, 12.011}},   {"N", {7, 14.007}},   {"O", {8, 15.999}},
    {"Na", {11, 22.990}}, {"Mg", {12, 24.305}}, {"Al", {13, 26.982}}, {"P", {15, 30.974}},
    {"S", {16, 32.06}},   {"Cl", {17, 35.45}},  {"Ar", {18, 39.948}}, {"K", {19, 39.098}},
    {"Ca", {20, 40.078}}};

struct Part {
    std::string_view element;
    double mass;
};
struct Entry {
    std::string_view name;
    double density;  // g/cm3
    double excitation_energy;
    std::vector<Part> parts;
};

// ICRU Reports 37, 44 and 49. Water's excitation energy is that of the table of stopping powers.
std::vector<Entry> const& entries() {
    static std::vector<Entry> const all = {
        {"water", 1.0, 0, {{"H", 0.111894}, {"O", 0.888106}}},
        {"air",
         0.00120479,
         85.7,
         {{"C", 0.000124}, {"N", 0.755267}, {"O", 0.231781}, {"Ar", 0.012827}}},
        {"lung",
         0.26,
         75.2,
         {{"H", 0.103},
          {"C", 0.105},
          {"N", 0.031},
          {"O", 0.749},
          {"Na", 0.002},
          {"P", 0.002},
          {"S", 0.003},
          {"Cl", 0.003},
          {"K", 0.002}}},
        {"adipose",
         0.95,
         64.8,
         {{"H", 0.114},
          {"C", 0.598},
          {"N", 0.007},
          {"O", 0.278},
          {"Na", 0.001},
          {"S", 0.001},
          {"Cl", 0.001}}},
        {"muscle",
         1.05,
         74.7,
         {{"H", 0.102},
          {"C", 0.143},
          {"N", 0.034},
          {"O", 0.710},
          {"Na", 0.001},
          {"P", 0.002},
          {"S", 0.003},
          {"Cl", 0.001},
          {"K", 0.004}}},
        {"soft_tissue", 1.0, 74.9, {{"H", 0.101172}, {"C", 0.111}, {"N", 0.026}, {"O", 0.761828}}},
        {"cortical_bone",
         1.92,
         111.9,
         {{"H", 0.034},
          {"C", 0.155},
          {"N", 0.042},
          {"O", 0.435},
          {"Na", 0.001},
          {"Mg", 0.002},
          {"P", 0.103},
          {"S", 0.003},
          {"Ca", 0.225}}},
        {"pmma", 1.19, 74.0, {{"H", 0.080538}, {"C", 0.599848}, {"O", 0.319614}}},
        {"lexan", 1.20, 73.1, {{"H", 0.055491}, {"C", 0.755751}, {"O", 0.188758}}},
        {"solid_water",
         1.045,
         68.7,
         {{"H", 0.081}, {"C", 0.672}, {"N", 0.024}, {"O", 0.199}, {"Cl", 0.001}, {"Ca", 0.023}}},
        {"aluminium", 2.6989, 166, {{"Al", 1}}},
        {"vacuum", 0, 0, {}}};
    return all;
}

// 1 / X_S of a substance per g/cm2, in units of alpha N r_e^2 (Gottschalk 2010, eq. 22).
double scattering_sum(std::span<Part const> parts) {
    double sum = 0;
    for (Part const& p : parts) {
        Element const e = elements.at(p.element);
        sum += p.mass * e.z * e.z / e.a * (2 * std::log(33219 * std::pow(e.a * e.z, -1.0 / 3)) - 1);
    }
    return sum;
}

double electrons(std::span<Part const> parts) {
    double sum = 0;
    for (Part const& p : parts) sum += p.mass * elements.at(p.element).z / elements.at(p.element).a;
    return sum;
}

// Hydrogen has no non-elastic reactions; other nuclei go by their area.
double nuclear_sum(std::span<Part const> parts) {
    double sum = 0;
    for (Part const& p : parts)
        if (p.element != "H") sum += p.mass * std::pow(elements.at(p.element).a, -1.0 / 3);
    return sum;
}

}  // namespace

Result<Material> material(std::string_view name, std::optional<double> density) {
    auto const found = std::find_if(entries().begin(), entries().end(),
                                    [&](Entry const& e) { return e.name == name; });
    if (found == entries().end()) {
        auto const names = material_names();
        return Error{Code::invalid_argument,
                     fmt::format("there is no material '{}'; did you mean '{}'?", name,
                                 nearest(name, names))};
    }
    Entry const& water = entries().front();
    Material m;
    m.name = name;
    m.density = density.value_or(found->density);
    if (!(m.density >= 0 && m.density <= 30))
        return Error{Code::invalid_argument,
                     fmt::format("{} of {} g/cm3 is not possible; give 0 to 30", name, m.density)};
    m.excitation_energy = found->excitation_energy;
    m.electron_density = m.density * electrons(found->parts) / electrons(water.parts);
    m.scattering = m.density * scattering_sum(found->parts) / scattering_sum(water.parts);
    m.nuclear = m.density * nuclear_sum(found->parts) / nuclear_sum(water.parts);
    return m;
}

std::vector<std::string> material_names() {
    std::vector<std::string> names;
    for (Entry const& e : entries()) names.emplace_back(e.name);
    return names;
}

}  // namespace sluice::proton
