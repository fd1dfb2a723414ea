// The functors of ptychography for launch::map().
// SPDX-License-Identifier: Apache-2.0
#include "domain/ptychography/remote/move_kernels.h"
#include "domain/ptychography/remote/projection_kernels.h"
#include "domain/ptychography/remote/residual_kernels.h"
#include "domain/ptychography/remote/sum_kernels.h"
#include "domain/ptychography/remote/wave_kernels.h"
#include "launch/kernels.h"

namespace sluice {

SLUICE_KERNEL(ptycho::remote::MakeFactors)
SLUICE_KERNEL(ptycho::remote::MoveProbe)
SLUICE_KERNEL(ptycho::remote::MoveBack)
SLUICE_KERNEL(ptycho::remote::PositionSlopes)
SLUICE_KERNEL(ptycho::remote::PassSlice)
SLUICE_KERNEL(ptycho::remote::PassBack)
SLUICE_KERNEL(ptycho::remote::Propagate)
SLUICE_KERNEL(ptycho::remote::WeighPixels<std::uint8_t>)
SLUICE_KERNEL(ptycho::remote::WeighPixels<std::uint16_t>)
SLUICE_KERNEL(ptycho::remote::WeighPixels<float>)
SLUICE_KERNEL(ptycho::remote::ApplyWeights)
SLUICE_KERNEL(ptycho::remote::AddRows)
SLUICE_KERNEL(ptycho::remote::AddErrors)
SLUICE_KERNEL(ptycho::remote::AddObject)
SLUICE_KERNEL(ptycho::remote::KeepObject)
SLUICE_KERNEL(ptycho::remote::AddProbe)
SLUICE_KERNEL(ptycho::remote::ProbePower)
SLUICE_KERNEL(ptycho::remote::ObjectPower)
SLUICE_KERNEL(ptycho::remote::AddLight)
SLUICE_KERNEL(ptycho::remote::LitPower)
SLUICE_KERNEL(ptycho::remote::Largest)
SLUICE_KERNEL(ptycho::remote::StepTiles)
SLUICE_KERNEL(ptycho::remote::StepProbe)
SLUICE_KERNEL(ptycho::remote::AddTiles)
SLUICE_KERNEL(ptycho::remote::AddScaled)
SLUICE_KERNEL(ptycho::remote::StepAdam)
SLUICE_KERNEL(ptycho::remote::Drift)
SLUICE_KERNEL(ptycho::remote::StepSystems)
SLUICE_KERNEL(ptycho::remote::MixWaves)
SLUICE_KERNEL(ptycho::remote::UpdateWaves)
SLUICE_KERNEL(ptycho::remote::SetModuli<std::uint8_t>)
SLUICE_KERNEL(ptycho::remote::SetModuli<std::uint16_t>)
SLUICE_KERNEL(ptycho::remote::SetModuli<float>)
SLUICE_KERNEL(ptycho::remote::FitObject)
SLUICE_KERNEL(ptycho::remote::FitProbe)
SLUICE_KERNEL(ptycho::remote::ClearTiles)
SLUICE_KERNEL(ptycho::remote::Clear)
SLUICE_KERNEL(ptycho::remote::Copy)
SLUICE_KERNEL(ptycho::remote::Scale)

}  // namespace sluice
