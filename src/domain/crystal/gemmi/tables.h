// Tables of crystallography, out of gemmi: space groups in their settings, form factors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sluice/unit_cell.h"

namespace sluice::crystal {

/// A space group on one choice of axes and origin.
struct GroupSetting {
    int number = 0;    ///< in the International Tables
    std::string name;  ///< as in "F d -3 m:2"
    char choice = 0;   ///< the letter behind the colon: an origin, H or R; 0: there is one only
    bool standard = false;  ///< no change of axes, though another origin may be
    std::vector<stem4d::SymmetryOperation> operations;  ///< all, centrings among them
};

/// Those a Hermann-Mauguin name may mean: several where it does not say which origin or axes.
/// Empty where there is no such name.
std::vector<GroupSetting> settings_by_name(std::string_view name);
/// Those of a number on the standard axes.
std::vector<GroupSetting> settings_by_number(int number);

/// Of the International Tables; 0 where these operations are those of no group, in any setting that
/// the table has.
int number_of_group(std::vector<stem4d::SymmetryOperation> const& operations);

/// f_e of a neutral atom at rest mass, in ångström, at a frequency (1 / spacing) of up to 4
/// 1/ångström: table 4.3.2.2 of the International Tables C. Empty where the table has no such
/// element (above 98).
class FormFactor {
  public:
    static std::optional<FormFactor> of(int element);
    double at(double frequency) const;

  private:
    std::array<double, 5> a_{}, b_{};
};

}  // namespace sluice::crystal
