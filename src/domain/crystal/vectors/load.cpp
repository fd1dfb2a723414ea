// load_vectors: Bragg vectors out of NPY files, whose records three more arrays follow.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <charconv>
#include <string_view>

#include "base/bytes.h"
#include "base/file.h"
#include "sluice/bragg_vectors.h"

namespace sluice::stem4d {
namespace {

constexpr std::size_t record_size = 2 * 4 + 9 * 4;
constexpr std::string_view record_fields =
    "[('pattern_row', '<i4'), ('pattern_col', '<i4'), ('row', '<f4'), ('col', '<f4'), "
    "('intensity', "
    "'<f4'), ('background', '<f4'), ('var_row', '<f4'), ('var_col', '<f4'), ('cov_row_col', "
    "'<f4'), ('intensity_error', '<f4'), ('score', '<f4')]";
constexpr index longest_side = index{1} << 20;

// Arrays of an NPY file, one after the other.
class Parts {
  public:
    explicit Parts(Bytes bytes) : bytes_(bytes) {}

    // The elements of the next array, whose type is `descr`; `count` of them, or as its shape says.
    Result<Bytes> next(std::string_view descr, std::size_t size, index count = -1) {
        std::string_view const left(reinterpret_cast<char const*>(bytes_.data()), bytes_.size());
        if (left.size() < 10 || !left.starts_with("\x93NUMPY\x01"))
            return damaged("lacks an array");
        std::size_t const head = 10 + load_le<std::uint16_t>(bytes_.data() + 8);
        if (head > left.size()) return damaged("ends within a header");
        std::string_view const header = left.substr(0, head);
        if (header.find(descr) == std::string_view::npos) return damaged("has other columns");
        if (count < 0) {
            auto const at = header.find("'shape': (");
            if (at == std::string_view::npos) return damaged("has a header without a shape");
            std::from_chars(header.data() + at + 10, header.data() + head, count);
        }
        if (count < 0 || static_cast<std::size_t>(count) > (left.size() - head) / size)
            return damaged("ends within an array");
        Bytes const part = bytes_.subspan(head, static_cast<std::size_t>(count) * size);
        bytes_ = bytes_.subspan(head + part.size());
        return part;
    }
    static Error damaged(std::string_view what) {
        return {Code::corrupt, "the file of Bragg vectors " + std::string(what) +
                                   " (it was changed, or is another version's); save it again"};
    }

  private:
    Bytes bytes_;
};

Status add_records(Bytes records, BraggVectors& v) {
    std::vector<float>* const into[] = {&v.row,     &v.col,     &v.intensity,   &v.background,
                                        &v.var_row, &v.var_col, &v.cov_row_col, &v.intensity_error,
                                        &v.score};
    v.first.push_back(0);
    for (std::size_t at = 0; at < records.size(); at += record_size) {
        index const row = load_le<std::int32_t>(records.data() + at),
                    col = load_le<std::int32_t>(records.data() + at + 4),
                    pattern = row * v.scan_shape[1] + col;
        if (row < 0 || col < 0 || row >= v.scan_shape[0] || col >= v.scan_shape[1] ||
            pattern + 1 < std::ssize(v.first))
            return Parts::damaged("has patterns out of order");
        v.first.resize(static_cast<std::size_t>(pattern) + 1, v.size());
        for (std::size_t i = 0; i < 9; ++i)
            into[i]->push_back(
                std::bit_cast<float>(load_le<std::uint32_t>(records.data() + at + 8 + 4 * i)));
    }
    v.first.resize(static_cast<std::size_t>(v.patterns()) + 1, v.size());
    return check_vectors(v);
}

Result<BraggVectors> parse(Bytes bytes) {
    Parts parts(bytes);
    BraggVectors v;
    SLUICE_TRY(Bytes const records, parts.next(record_fields, record_size));
    SLUICE_TRY(Bytes const sides, parts.next("'<i8'", 8, 4));
    index s[4] = {};
    for (std::size_t i = 0; i < 4; ++i) {
        s[i] = load_le<std::int64_t>(sides.data() + 8 * i);
        if (s[i] < 1 || s[i] > longest_side) return Parts::damaged("has a side of no scan");
    }
    v.scan_shape = {s[0], s[1]}, v.detector_shape = {s[2], s[3]};
    SLUICE_TRY(Bytes const reasons, parts.next("'|u1'", 1, v.patterns()));
    for (std::byte b : reasons) {
        if (b > static_cast<std::byte>(DiskReason::off_detector))
            return Parts::damaged("has a reason of no known number");
        v.reason.push_back(static_cast<DiskReason>(b));
    }
    SLUICE_CHECK(add_records(records, v));
    return v;
}

}  // namespace

Result<BraggVectors> load_vectors(std::string const& path) {
    SLUICE_TRY(auto const bytes, read_file(path, std::uint64_t{1} << 36));
    auto vectors = parse(bytes);
    if (!vectors) vectors.error().file = path;
    return vectors;
}

}  // namespace sluice::stem4d
