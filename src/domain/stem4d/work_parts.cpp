// The pass of some products in parts.
// SPDX-License-Identifier: Apache-2.0
#include "domain/stem4d/work_parts.h"

#include "codec/crc32c/crc32c.h"
#include "fold/packed.h"

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

Status WorkParts::check(Device const& device) {
    if (!device.remote()) return {};
    return Error{Code::unsupported, "parts of products cannot be computed on device '" +
                                        device.name() + "'; use --device cpu"};
}

WorkParts::WorkParts(Scan const& scan, Options options, ProductWork work)
    : scan_(scan),
      options_(std::move(options)),
      work_(std::move(work)),
      fold_(work_.fold_options(scan, options_)),
      analysis_(work_.analysis(scan, options_)),
      units_(scan, fold_),
      folding_(analysis_, units_) {}

Result<std::vector<std::byte>> WorkParts::part(index first, index count) {
    if (first < 0 || count < 0 || first > groups() - count)
        return fold::refuse_range({first, first + count}, groups());
    work_.tally = {};
    SLUICE_TRY(auto const part, fold::fold_part(units_, analysis_, {first, first + count},
                                                fold::run_options(scan_, fold_)));
    fold::Packer out;
    out.bytes(fold::pack(units_, analysis_, part));
    pack(work_.tally, out);
    return std::move(out).take();
}

Status WorkParts::add(Bytes packed) {
    if (packed.size() < tally_bytes)
        return Error{
            Code::corrupt,
            "these bytes are not a part of products (they are too few); give what part() returned"};
    SLUICE_TRY(store::Tally const tally, unpack_tally(packed.last(tally_bytes)));
    SLUICE_TRY(auto part,
               fold::unpack(units_, analysis_, packed.first(packed.size() - tally_bytes)));
    SLUICE_CHECK(fold::add_part(folding_, std::move(part)));
    met_.merge(tally);
    return {};
}

Result<AllProducts::Result> WorkParts::found() {
    SLUICE_TRY(AllProducts::Result all, std::move(folding_).finish());
    work_.tally = met_;
    return all;
}

}  // namespace sluice::stem4d
