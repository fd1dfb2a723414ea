// Everything of the public API.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sluice/dataset.h"
#include "sluice/device.h"
#include "sluice/load.h"
#include "sluice/result.h"
#include "sluice/save.h"
#include "sluice/scan.h"
#include "sluice/stem4d.h"
#include "sluice/view.h"
