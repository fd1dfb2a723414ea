// Rows of numbers out of phases, and the digest of a map.
// SPDX-License-Identifier: Apache-2.0
#include "domain/orientation/files/columns.h"

#include <cmath>

#include "base/hash.h"

namespace sluice::orient {
namespace {

class Digest {
  public:
    template <class T>
    void add(std::vector<T> const& values) {
        add(std::as_bytes(std::span(values)));
    }
    void add(std::string const& text) { add(std::as_bytes(std::span(text))); }
    void add(Bytes bytes) {
        // With its length: what moves from one to the next makes another digest.
        value_ = splitmix_digest(bytes, value_ ^ bytes.size());
    }
    std::uint64_t value() const { return value_; }

  private:
    std::uint64_t value_ = 0;
};

}  // namespace

std::vector<double> numbers_of(std::vector<stem4d::Atom> const& atoms) {
    std::vector<double> out;
    for (stem4d::Atom const& a : atoms)
        for (double v : {static_cast<double>(a.number), a.place[0], a.place[1], a.place[2],
                         a.occupancy, a.b_iso})
            out.push_back(v);
    return out;
}

std::vector<double> numbers_of(std::vector<stem4d::SymmetryOperation> const& operations) {
    std::vector<double> out;
    for (auto const& [turn, shift] : operations) {
        for (auto const& row : turn)
            for (int v : row) out.push_back(v);
        for (double v : shift) out.push_back(v);
    }
    return out;
}

std::array<double, 6> lengths_and_angles(stem4d::UnitCell const& c) {
    return {c.a, c.b, c.c, c.alpha, c.beta, c.gamma};
}

std::uint64_t digest_of(stem4d::OrientationMap const& map) {
    Digest all;
    all.add(std::vector<double>{static_cast<double>(map.scan_shape[0]),
                                static_cast<double>(map.scan_shape[1]), map.step_nm});
    each_column(map, [&](char const*, char const*, index, auto const& column) { all.add(column); });
    // What earlier files do not have changes no digest of theirs.
    if (map.kilovolts > 0) all.add(std::vector<double>{map.kilovolts});
    if (std::isfinite(map.common_factor))
        all.add(std::vector<double>{map.common_factor, map.common_factor_error});
    for (auto const& under : map.overlapping)
        each_column(under,
                    [&](char const*, char const*, index, auto const& column) { all.add(column); });
    for (stem4d::CrystalPhase const& phase : map.phases) {
        all.add(phase.name);
        all.add(phase.cell.name);
        auto const lengths = lengths_and_angles(phase.cell);
        all.add(std::vector<double>(lengths.begin(), lengths.end()));
        all.add(numbers_of(phase.cell.atoms));
        all.add(numbers_of(phase.cell.operations));
        for (std::string const& note : phase.cell.notes) all.add(note);
    }
    for (std::string const& note : map.notes) all.add(note);
    return all.value();
}

}  // namespace sluice::orient
