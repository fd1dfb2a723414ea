// What products() and analyze() share, at once and in parts.
// SPDX-License-Identifier: Apache-2.0
#include "domain/stem4d/product_work.h"

#include <algorithm>

#include "store/plan.h"

namespace sluice::stem4d {
namespace {

bool any_needs_disk(Wanted const& wanted) {
    return std::ranges::any_of(wanted.detectors, needs_disk) ||
           (wanted.center_of_mass && wanted.within && needs_disk(*wanted.within));
}

// A scan in memory has nothing to read: the progress of what takes long is that of its units.
fold::RunOptions run_options(ProductWork const& work, Scan const& scan,
                             fold::FoldOptions const& fold) {
    fold::RunOptions run = fold::run_options(scan, fold);
    bool const slow = std::ranges::any_of(work.list, [](auto const& p) { return p->slow(); });
    if (slow && fold.progress && scan.resident())
        run.progress = [told = fold.progress, all = scan.plan().tiles()](index units) {
            return told(static_cast<std::uint64_t>(units), static_cast<std::uint64_t>(all));
        };
    return run;
}

}  // namespace

Result<ProductWork> ProductWork::begin(Scan const& scan, Wanted const& wanted, Options& options) {
    SLUICE_CHECK(check_references(scan, options.references));
    if (any_needs_disk(wanted) && !options.disk) {
        SLUICE_TRY(options.disk, find_disk(scan, options.device));
    }
    ProductWork work;
    for (auto const add : product_kinds) SLUICE_CHECK(add(scan, wanted, options, work.list));
    if (work.list.empty())
        return Error{Code::invalid_argument,
                     "no product is asked for; ask for images, centres of mass or a pattern"};
    return work;
}

fold::FoldOptions ProductWork::fold_options(Scan const& scan, Options const& options) {
    fold::FoldOptions fold{.device = options.device,
                           .progress = options.progress,
                           .trace = options.trace,
                           .tally = &tally};
    // An add() gives its units to all of the products.
    fold.batch = list[0]->batch(scan);
    for (auto const& product : list) fold.batch = std::min(fold.batch, product->batch(scan));
    if (list.size() == 1) list[0]->leave_out(scan, fold);
    return fold;
}

AllProducts ProductWork::analysis(Scan const& scan, Options const& options) const {
    AllProducts all;
    for (auto const& product : list) all.parts.push_back(product->analysis(scan, options.device));
    return all;
}

Result<AllProducts::Result> ProductWork::run(Scan const& scan, Options const& options,
                                             Shortcuts shortcuts) {
    SLUICE_TRY(auto remote, RemoteScan::on(scan, options.device));
    if (!remote) return run_here(scan, options, shortcuts);
    // Its sums over plain values have another order than those of corrected_sums(), and do not
    // know the dark of floats that were not measured.
    if (options.references.any() && scan.chosen_layout() != Layout::planes)
        return Error{Code::unsupported,
                     "dark and gain references need bit planes on this device (the scan is in "
                     "plain values); give the device cpu"};
    Step step(options.trace, Phase::fold, 0);
    AllProducts::Result found(list.size());
    for (std::size_t i = 0; i < found.size(); ++i)
        SLUICE_CHECK(list[i]->remote(*remote, scan, found[i]));
    return found;
}

// What tables and lines do not give is found in one pass.
Result<AllProducts::Result> ProductWork::run_here(Scan const& scan, Options const& options,
                                                  Shortcuts shortcuts) {
    AllProducts::Result found(list.size());
    std::vector<std::size_t> left;
    bool const here = options.device.kind() == Device::Kind::cpu;
    bool const some = here && shortcuts == Shortcuts::all && scan.tables();
    bool answered = false;
    for (std::size_t i = 0; i < list.size(); ++i) {
        bool has = false;
        if (some) {
            SLUICE_TRY(has, list[i]->from_tables(*scan.tables(), scan, list.size() == 1, options,
                                                 found[i]));
        }
        if (has) {
            scan.tables()->answered();
            answered = true;
        }
        if (!has && here && shortcuts != Shortcuts::none) {
            SLUICE_TRY(
                has, list[i]->from_lines(some ? scan.tables() : nullptr, scan, options, found[i]));
        }
        if (!has) left.push_back(i);
    }
    // What the pass that made the file of tables met is what this one would.
    bool const from_file = answered && scan.tables()->file();
    if (from_file) tally = scan.tables()->file()->head().tally;
    if (left.empty()) return found;
    ProductWork rest;
    for (std::size_t const i : left) rest.list.push_back(std::move(list[i]));
    AllProducts const all = rest.analysis(scan, options);
    fold::FoldOptions fold = rest.fold_options(scan, options);
    fold.tally = from_file ? nullptr : &tally;
    auto passed = fold::fold(fold::ScanUnits(scan, fold), all, run_options(rest, scan, fold));
    for (std::size_t i = 0; i < left.size(); ++i) {
        list[left[i]] = std::move(rest.list[i]);
        if (passed) found[left[i]] = std::move((*passed)[i]);
    }
    if (!passed) return std::move(passed).error();
    return found;
}

Products ProductWork::finish(AllProducts::Result&& found, Scan const& scan,
                             Options const& options) && {
    Products out;
    for (std::size_t i = 0; i < list.size(); ++i)
        list[i]->finish(std::move(found[i]), scan, tally, options, out);
    return out;
}

}  // namespace sluice::stem4d
