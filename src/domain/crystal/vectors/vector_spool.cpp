// Vectors in blocks of columns.
// SPDX-License-Identifier: Apache-2.0
#include "domain/crystal/vectors/vector_spool.h"

namespace sluice::crystal {

VectorSpool::VectorSpool(ScratchFile file, std::array<index, 2> scan, std::array<index, 2> detector)
    : file_(std::move(file)) {
    scan_shape = scan, detector_shape = detector;
}

Status VectorSpool::add(BraggVectors const& next) {
    index const before = firsts_.back();
    for (std::size_t p = 1; p < next.first.size(); ++p) firsts_.push_back(before + next.first[p]);
    reasons_.insert(reasons_.end(), next.reason.begin(), next.reason.end());
    for (index from = 0; from < next.size();) {
        index const room = piece_of_disks - std::ssize(held_[0]);
        index const to = std::min(from + room, next.size());
        for (std::size_t c = 0; c < held_.size(); ++c) {
            auto const& values = next.*columns[c].values;
            held_[c].insert(held_[c].end(), values.begin() + from, values.begin() + to);
        }
        if (std::ssize(held_[0]) == piece_of_disks) SLUICE_CHECK(write_block());
        from = to;
    }
    return {};
}

Status VectorSpool::write_block() {
    written_ += std::ssize(held_[0]);
    for (auto& column : held_) {
        SLUICE_CHECK(file_.write(std::as_bytes(std::span(column))));
        column.clear();
    }
    return {};
}

Status VectorSpool::close() {
    SLUICE_CHECK(write_block());
    first = firsts_, reason = reasons_;
    return {};
}

Result<std::span<float const>> VectorSpool::values(std::size_t column, index from, index to) {
    expects(from >= 0 && from <= to && to <= written_);
    std::vector<float>& out = held_[column];
    out.resize(static_cast<std::size_t>(to - from));
    std::size_t done = 0;
    for (index at = from; at < to;) {
        index const block = at / piece_of_disks, begin = block * piece_of_disks;
        index const disks = std::min(piece_of_disks, written_ - begin);
        index const end = std::min(to, begin + disks);
        index const floats =
            begin * index{std::size(columns)} + static_cast<index>(column) * disks + (at - begin);
        auto const some = std::span(out).subspan(done, static_cast<std::size_t>(end - at));
        SLUICE_CHECK(file_.read(static_cast<std::uint64_t>(floats) * sizeof(float),
                                std::as_writable_bytes(some)));
        done += some.size();
        at = end;
    }
    return std::span<float const>(out);
}

}  // namespace sluice::crystal
