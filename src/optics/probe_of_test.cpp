// Probes out of apertures, aberrations and vacuum images.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "sluice/optics.h"

namespace sluice::optics {
namespace {

constexpr index side = 64;
constexpr double pixel = 0.02, wavelength = 0.002;
constexpr double step = wavelength / (side * pixel);

using Complex = std::complex<double>;

// The probe's spectrum at (k, l), by the sum that defines it.
Complex spectrum_at(std::vector<std::complex<float>> const& probe, index k, index l) {
    Complex sum{};
    for (index r = 0; r < side; ++r)
        for (index c = 0; c < side; ++c)
            sum +=
                Complex(probe[static_cast<std::size_t>(r * side + c)]) *
                std::polar(1.0, -2 * std::numbers::pi *
                                    static_cast<double>(k * (r - side / 2) + l * (c - side / 2)) /
                                    side);
    return sum;
}

TEST(ProbeOf, HasThePhasesOfItsAberrations) {
    ProbeOptics optics{.semiangle_mrad = 20, .defocus_nm = 7, .spherical_mm = 0.001};
    optics.aberrations = {parse_aberration("C21=30@10").value(),
                          parse_aberration("C34=-900@25").value()};
    auto const probe = probe_of(optics, side, pixel, wavelength).value();
    Complex const middle = spectrum_at(probe, 0, 0);
    for (auto const& [k, l] : {std::pair<index, index>{5, 3}, {-4, 6}, {0, -9}, {8, -2}}) {
        double const y = step * static_cast<double>(k), x = step * static_cast<double>(l);
        double const a = std::hypot(x, y), phi = std::atan2(y, x);
        auto const radians = [](double degrees) { return degrees * std::numbers::pi / 180; };
        double const chi = 2 * std::numbers::pi / wavelength *
                           (-7 * a * a / 2 + 1000 * std::pow(a, 4) / 4 +
                            30 * std::pow(a, 3) / 3 * std::cos(phi - radians(10)) -
                            900 * std::pow(a, 4) / 4 * std::cos(4 * (phi - radians(25))));
        Complex const found = spectrum_at(probe, k, l) / middle;
        EXPECT_NEAR(std::abs(found - std::polar(1.0, -chi)), 0, 1e-4) << k << ' ' << l;
    }
}

TEST(ProbeOf, TakesItsModuliFromAVacuumImage) {
    // A ring in a larger detector, not in its middle.
    Array<double> image = Array<double>::zeros({80, 70});
    for (index r = 0; r < 80; ++r)
        for (index c = 0; c < 70; ++c) {
            double const from =
                std::hypot(static_cast<double>(r - 45), static_cast<double>(c - 30));
            image.values[static_cast<std::size_t>(r * 70 + c)] = from < 12 ? 100 + 10 * from : 0;
        }
    image.values[3] = 1e4;  // a hot pixel
    ProbeOptics const optics{.defocus_nm = 5, .vacuum = image};
    auto const probe = probe_of(optics, side, pixel, wavelength).value();
    double const unit = std::abs(spectrum_at(probe, 0, 0)) / 10;
    for (auto const& [k, l] :
         {std::pair<index, index>{6, 0}, {0, -11}, {3, 4}, {13, 0}, {-9, -9}}) {
        double const from = std::hypot(static_cast<double>(k), static_cast<double>(l));
        double const wanted = from < 12 ? std::sqrt(100 + 10 * from) : 0;
        EXPECT_NEAR(std::abs(spectrum_at(probe, k, l)) / unit, wanted, 1e-3) << k << ' ' << l;
    }
    double power = 0;
    for (auto const& z : probe) power += static_cast<double>(std::norm(z));
    EXPECT_NEAR(power, 1, 1e-5);
}

TEST(ProbeOf, SaysWhatIsWrong) {
    auto const refused = [](ProbeOptics const& optics, std::string const& word) {
        auto const found = probe_of(optics, side, pixel, wavelength);
        ASSERT_FALSE(found) << word;
        EXPECT_NE(found.error().message.find(word), std::string::npos) << found.error().message;
    };
    refused({.semiangle_mrad = 90}, "must lie inside");
    refused({.semiangle_mrad = 20, .aberrations = {{2, 2, 5}}}, "no aberration C22");
    refused({.semiangle_mrad = 20, .aberrations = {{1, 2, NAN}}}, "finite");
    refused({.vacuum = Array<double>::zeros({20, 20})}, "empty");
    Array<double> image = Array<double>::zeros({200, 20});
    image.values[0] = 5;
    refused({.vacuum = image, .vacuum_center = {{150, 10}}}, "lies elsewhere");
    image.values[7] = -1;
    refused({.vacuum = image}, "negative");
    auto const wide = probe_of({.semiangle_mrad = 20}, index{1} << 40, pixel, wavelength);
    EXPECT_NE(wide.error().message.find("8 to 4096"), std::string::npos);
    for (char const* text :
         {"", "C23", "C23=", "C23=x", "C2=5", "23=5", "C23=5@", "C23=5 nm", "Cab=1"})
        EXPECT_FALSE(parse_aberration(text)) << text;
}

}  // namespace
}  // namespace sluice::optics
