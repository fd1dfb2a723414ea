// Products of a scan in parts, for several processes.
// SPDX-License-Identifier: Apache-2.0
#include "codec/crc32c/crc32c.h"
#include "domain/stem4d/product_work.h"
#include "fold/packed.h"
#include "sluice/stem4d_parts.h"

namespace sluice::stem4d {
namespace {

constexpr std::size_t counts = 6;  // of a Tally
constexpr std::size_t tally_bytes = counts * sizeof(std::uint64_t) + sizeof(std::uint32_t);

void pack(store::Tally const& t, fold::Packer& out) {
    std::array<std::uint64_t, counts> const all{t.sentinels, t.saturated, t.not_finite,
                                                t.missing,   t.rounded,   t.beyond};
    fold::Packer its;
    its.numbers<std::uint64_t>(all);
    out.bytes(its.written());
    out.number<std::uint32_t>(codec::crc32c(its.written()));
}

Result<store::Tally> unpack_tally(Bytes bytes) {
    fold::Unpacker in(bytes);
    SLUICE_TRY(std::vector<std::uint64_t> const all, in.numbers<std::uint64_t>(counts));
    SLUICE_TRY(std::uint32_t const sum, in.number<std::uint32_t>());
    if (sum != codec::crc32c(bytes.first(counts * sizeof(std::uint64_t))))
        return Error{Code::corrupt,
                     "a part changed on its way (its checksum differs) send it again"};
    return store::Tally{all[0], all[1], all[2], all[3], all[4], all[5]};
}

}  // namespace

struct ProductParts::State {
    Scan const& scan;
    Options options;
    ProductWork work;
    fold::FoldOptions fold;
    AllProducts analysis;
    fold::ScanUnits units;
    fold::Folding<AllProducts> folding;
    store::Tally met = {};  // by all parts

    State(Scan const& s, Options o, ProductWork w)
        : scan(s),
          options(std::move(o)),
          work(std::move(w)),
          fold(work.fold_options(scan, options)),
          analysis(work.analysis(scan, options)),
          units(scan, fold),
          folding(analysis, units) {}
};

ProductParts::ProductParts(std::unique_ptr<State> state) : state_(std::move(state)) {}
ProductParts::ProductParts(ProductParts&&) noexcept = default;
ProductParts& ProductParts::operator=(ProductParts&&) noexcept = default;
ProductParts::~ProductParts() = default;

Result<ProductParts> ProductParts::begin(Scan const& scan, Wanted const& wanted,
                                         Options const& given) {
    Options options = given;
    if (options.device.remote())
        return Error{Code::unsupported, "parts of products cannot be computed on device '" +
                                            options.device.name() + "'; use --device cpu"};
    SLUICE_TRY(ProductWork work, ProductWork::begin(scan, wanted, options));
    return ProductParts(std::make_unique<State>(scan, std::move(options), std::move(work)));
}

index ProductParts::groups() const {
    return state_->units.groups();
}

Result<std::vector<std::byte>> ProductParts::part(index first, index count) {
    State& s = *state_;
    if (first < 0 || count < 0 || first > s.units.groups() - count)
        return fold::refuse_range({first, first + count}, s.units.groups());
    s.work.tally = {};
    SLUICE_TRY(auto const part, fold::fold_part(s.units, s.analysis, {first, first + count},
                                                fold::run_options(s.scan, s.fold)));
    fold::Packer out;
    out.bytes(fold::pack(s.units, s.analysis, part));
    pack(s.work.tally, out);
    return std::move(out).take();
}

Status ProductParts::add(Bytes packed) {
    State& s = *state_;
    if (packed.size() < tally_bytes)
        return Error{
            Code::corrupt,
            "these bytes are not a part of products (they are too few); give what part() returned"};
    SLUICE_TRY(store::Tally const tally, unpack_tally(packed.last(tally_bytes)));
    SLUICE_TRY(auto part,
               fold::unpack(s.units, s.analysis, packed.first(packed.size() - tally_bytes)));
    SLUICE_CHECK(fold::add_part(s.folding, std::move(part)));
    s.met.merge(tally);
    return {};
}

Result<Products> ProductParts::finish() && {
    State& s = *state_;
    SLUICE_TRY(AllProducts::Result found, std::move(s.folding).finish());
    s.work.tally = s.met;
    return std::move(s.work).finish(std::move(found), s.scan, s.options);
}

}  // namespace sluice::stem4d
