// Mass stopping powers of liquid water for protons.
// SPDX-License-Identifier: Apache-2.0
#include "domain/proton/physics/water_tables.h"

#include <cmath>
#include <vector>

namespace sluice::proton {
namespace {

// NIST PSTAR (SRD 124, https://doi.org/10.18434/T4NC7P): total, I = 75 eV; MeV, MeV cm2/g.
constexpr Point pstar_points[] = {
    {0.01, 432.9}, {0.02, 573.3}, {0.05, 776.8}, {0.08, 826},   {0.1, 816.1}, {0.15, 737.1},
    {0.2, 661.3},  {0.3, 550.4},  {0.5, 413.2},  {0.7, 332.5},  {1, 260.8},   {1.25, 222.9},
    {1.5, 195.7},  {1.75, 174.9}, {2, 158.6},    {2.25, 145.4}, {2.5, 134.4}, {3, 117.2},
    {3.5, 104.2},  {4, 94.04},    {4.5, 85.86},  {5, 79.11},    {6, 68.58},   {7, 60.71},
    {8, 54.6},     {9, 49.69},    {10, 45.67},   {12.5, 38.15}, {15, 32.92},  {17.5, 29.05},
    {20, 26.07},   {25, 21.75},   {27.5, 20.13}, {30, 18.76},   {35, 16.56},  {40, 14.88},
    {45, 13.54},   {50, 12.45},   {55, 11.54},   {60, 10.78},   {65, 10.13},  {70, 9.559},
    {75, 9.063},   {80, 8.625},   {85, 8.236},   {90, 7.888},   {95, 7.573},  {100, 7.289},
    {110, 6.794},  {120, 6.377},  {125, 6.192},  {130, 6.021},  {140, 5.713}, {150, 5.445},
    {160, 5.209},  {170, 4.999},  {175, 4.903},  {180, 4.812},  {190, 4.644}, {200, 4.492},
    {210, 4.354},  {220, 4.229},  {225, 4.17},   {230, 4.114},  {240, 4.008}, {250, 3.911},
    {300, 3.52}};

// ICRU Report 90 (2016): electronic, I = 78 eV.
constexpr Point icru90_points[] = {
    {0.001, 133.7}, {0.0015, 163.8}, {0.002, 189.1}, {0.003, 231.6}, {0.004, 267.5}, {0.005, 299},
    {0.006, 327.6}, {0.008, 378.2},  {0.01, 422.9},  {0.015, 503.6}, {0.02, 567.3},  {0.03, 662.8},
    {0.04, 729},    {0.05, 774},     {0.06, 802.6},  {0.08, 824.1},  {0.1, 814.5},   {0.15, 736},
    {0.2, 658.5},   {0.3, 543.5},    {0.4, 464.3},   {0.5, 406.5},   {0.6, 362.4},   {0.8, 299.7},
    {1, 257.4},     {1.5, 193.4},    {2, 156.9},     {3, 116},       {4, 93.19},     {5, 78.42},
    {6, 68.01},     {8, 54.17},      {10, 45.32},    {15, 32.69},    {20, 25.89},    {30, 18.64},
    {40, 14.79},    {50, 12.38},     {60, 10.72},    {80, 8.578},    {100, 7.25},    {150, 5.417},
    {200, 4.47},    {300, 3.504},    {400, 3.018},   {500, 2.731}};

// What a proton hands to nuclei of one element, as Coulomb's force screened by electrons turns it:
// Ziegler, Biersack and Littmark (1985), eV cm2 per 1e15 atoms.
double to_nuclei(double charge, double mass, double energy) {
    constexpr double own = 1.00728;
    double const screened = 1 + std::pow(charge, 0.23);
    double const e = 32.53 * mass * energy * 1e3 / (charge * (own + mass) * screened);
    double const reduced =
        e > 30 ? std::log(e) / (2 * e)
               : std::log(1 + 1.1383 * e) /
                     (2 * (e + 0.01321 * std::pow(e, 0.21226) + 0.19593 * std::sqrt(e)));
    return 8.462 * charge * own / ((own + mass) * screened) * reduced;
}

}  // namespace

double nuclear_stopping(double energy) {
    constexpr double molecules = 33.4279;  // 1e21 in a gram; with 1e-15 cm2 and eV it makes MeV
    return molecules * (2 * to_nuclei(1, 1.00794, energy) + to_nuclei(8, 15.9994, energy));
}

std::vector<Point> water_table(WaterTable table) {
    if (table == WaterTable::pstar) return {std::begin(pstar_points), std::end(pstar_points)};
    std::vector<Point> total(std::begin(icru90_points), std::end(icru90_points));
    for (Point& p : total) p.y += nuclear_stopping(p.x);
    return total;
}

}  // namespace sluice::proton
