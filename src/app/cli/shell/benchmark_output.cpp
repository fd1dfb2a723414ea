// The report of a benchmark on stdout.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/shell/benchmark_output.h"

#include "app/cli/shell/outputs.h"
#include "app/cli/shell/terminal.h"

namespace sluice::cli {

void print(bench::Report const& report, bench::Layout const& layout, bool json) {
    say("{}", json ? text_of(to_json(report)) + "\n" : table(report, layout));
}

}  // namespace sluice::cli
