// riCOM: an integrated centre of mass whose points depend on near ones only.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sluice/stem4d.h"

namespace sluice::stem4d {

/// Of a field [row][col] less its mean, in pixels times scan steps, bright at atoms as icom() is:
/// the sum over points within `kernel` rows and columns of field . d / (2 pi |d|^2), d the way from
/// there (Yu et al., Microsc. Microanal. 28, 1526, 2022, doi:10.1017/S1431927622000617). What is
/// larger than the kernel is left out. A row is final once `kernel` more have come, but for the
/// mean. What is not known takes no part, and is NaN. Errors: arrays that are no field; a kernel
/// below 1.
Result<Array<double>> ricom(Array<double> const& row, Array<double> const& col, index kernel);

}  // namespace sluice::stem4d
