// Product: one thing that products() finds in its pass over the frames of a scan.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <any>
#include <memory>

#include "domain/stem4d/remote_scan.h"
#include "fold/any_analysis.h"
#include "scan/scan_tables.h"
#include "scan/scan_units.h"

namespace sluice::stem4d {

/// An analysis with what happens before the pass and after it. `found` is the analysis's Result.
class Product {
  public:
    virtual ~Product() = default;

    /// It refers to the product.
    virtual fold::AnyAnalysis<store::Unit> analysis(Scan const& scan,
                                                    Device const& device) const = 0;
    /// Most units that the analysis gets at once.
    virtual index batch(Scan const& scan) const = 0;
    /// Whether it takes long where nothing is to be read, so that the pass tells how far it is.
    virtual bool slow() const { return false; }
    /// Where it is the only product: what the pass need not read or decode.
    virtual void leave_out(Scan const& scan, fold::FoldOptions& pass) const = 0;
    /// The same as the pass, from tables of the scan that give it exactly; false: they do not, and
    /// nothing was found. Only on processors, with their own instruction sets. `alone`: no other
    /// product needs the pass, so that tables may be made.
    virtual Result<bool> from_tables(ScanTables&, Scan const&, bool /*alone*/, Options const&,
                                     std::any& /*found*/) const {
        return false;
    }
    /// The same as the pass, from planes that are turned by frames, where the scan has them and
    /// they serve it faster; false: nothing was found. Only on processors. The tables, which may be
    /// null, know what was counted before.
    virtual Result<bool> from_lines(ScanTables*, Scan const&, Options const&,
                                    std::any& /*found*/) const {
        return false;
    }
    /// The same as the pass, on a device out of the host's reach.
    virtual Status remote(RemoteScan& remote, Scan const& scan, std::any& found) const = 0;
    /// Puts the answer where it belongs.
    virtual void finish(std::any found, Scan const& scan, store::Tally const& tally,
                        Options const& options, Products& out) = 0;
};

using ProductList = std::vector<std::unique_ptr<Product>>;

/// Each appends its product if it is wanted. The detectors' disk, where one is needed, is in
/// `options`.
Status add_images(Scan const& scan, Wanted const& wanted, Options const& options,
                  ProductList& list);
Status add_moments(Scan const& scan, Wanted const& wanted, Options const& options,
                   ProductList& list);
Status add_patterns(Scan const& scan, Wanted const& wanted, Options const& options,
                    ProductList& list);

/// All kinds of products: a new one stands here, with its wish in Wanted and its answer in
/// Products.
constexpr decltype(&add_images) product_kinds[] = {add_images, add_moments, add_patterns};

/// Marks the numbers of frames that were not measured by NaN; `each` of them belong to a frame.
void mark_lost(store::Plan const& plan, index each, std::span<double> numbers);

}  // namespace sluice::stem4d
