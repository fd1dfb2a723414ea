// Arrays as save_ptychography() lays them out, or as h5repack packs them.
// SPDX-License-Identifier: Apache-2.0
#include "domain/ptychography/output/result_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <string_view>

#include "base/memory.h"
#include "domain/ptychography/checkpoint/digested.h"
#include "domain/ptychography/output/result_kind.h"
#include "format/hdf5/object/raw.h"
#include "format/hdf5/object/value.h"
#include "format/kinds/ptychography.h"

namespace sluice::ptycho {

namespace {

using hdf5::object::DatasetInfo;
using hdf5::object::Datatype;
using hdf5::object::LayoutClass;
using hdf5::object::Object;
using hdf5::object::TypeClass;

constexpr std::uint64_t most_elements = std::uint64_t{1} << 40;

template <class T>
bool is_of(Datatype const& type) {
    if (type.size != sizeof(T)) return false;
    if constexpr (std::is_same_v<T, std::complex<float>>) return type.complex_pair;
    return type.kind == TypeClass::real && type.plain() && !type.big_endian;
}

template <class T>
constexpr char const* name_of() {
    if constexpr (std::is_same_v<T, std::complex<float>>) return "complex64";
    return sizeof(T) == sizeof(float) ? "float32" : "float64";
}

bool is_finite(stem4d::Position const& p) {
    return std::isfinite(p.row) && std::isfinite(p.col);
}

Status read_contiguous(Object const& dataset, DatasetInfo const& info, std::span<std::byte> out) {
    auto const& source = dataset.source();
    auto read = source.bytes().read(source.sb().base + info.layout.address, out);
    if (!read && read.error().file.empty()) read.error().file = dataset.file();
    return read;
}

// As all_settings() has them: attributes of a file have no order.
void put_in_order(stem4d::SettingTexts& settings) {
    auto const stages = std::ranges::count_if(
        settings, [](auto const& setting) { return setting.first.ends_with(" solver"); });
    stem4d::PtychographyOptions like;
    like.stages.resize(static_cast<std::size_t>(stages));
    std::map<std::string, std::size_t> ranks;
    for (auto const& [name, value] : stem4d::all_settings(like)) ranks.emplace(name, ranks.size());
    std::ranges::stable_sort(settings, {}, [&](auto const& setting) {
        auto const known = ranks.find(setting.first);
        return known == ranks.end() ? ranks.size() : known->second;
    });
}

}  // namespace

Error ResultFile::damaged(std::string const& name, std::string_view problem) const {
    return {Code::corrupt,
            fmt::format("the result's {} {} (the file is damaged, or another program changed it) "
                        "take another copy, or reconstruct again",
                        name, problem),
            root_.file()};
}

Result<ResultFile> ResultFile::open(std::string const& path, std::uint64_t most_bytes) {
    SLUICE_TRY(Object root, Object::open_file(path));
    SLUICE_TRY(PtychographyFile const kind, ptychography_file(root));
    if (kind == PtychographyFile::checkpoint)
        return Error{Code::unsupported,
                     "is a checkpoint of ptychography and not a result (a reconstruction goes on "
                     "from it) give it to `sluice stem4d ptychography "
                     "--resume`",
                     path};
    if (kind == PtychographyFile::other)
        return Error{Code::unsupported,
                     "is not a result of ptychography (its attributes do not say so) give a file "
                     "that `sluice stem4d ptychography --format hdf5` wrote",
                     path};
    // The file states it twice, so one of the two may be damaged.
    SLUICE_TRY(auto const said, hdf5::object::attribute_text(root, digests_attribute));
    SLUICE_TRY(auto const group, root.find("digests"));
    return ResultFile(std::move(root), most_bytes ? most_bytes : memory_available(),
                      said.has_value() || group.has_value());
}

Status ResultFile::check(std::string const& name, Bytes bytes) const {
    if (!has_digests_) return {};
    SLUICE_TRY(auto const sum, hdf5::object::read_count(root_, digest_of(name)));
    if (!sum) return damaged(name, "has no digest");
    if (*sum != (bytes.empty() ? 0 : splitmix_digest(bytes)))
        return damaged(name, "differs from what was written");
    return {};
}

Status ResultFile::check_absent(std::string const& name) const {
    SLUICE_TRY(auto const sum, root_.find(digest_of(name)));
    if (sum) return damaged(name, "is missing");
    return {};
}

Status ResultFile::same(std::string const& link, std::string const& name) const {
    if (!has_digests_) return {};
    SLUICE_TRY(auto const there, root_.find(link));
    SLUICE_TRY(auto const here, root_.find(name));
    if (there && here && there->address() == here->address()) return {};
    return damaged(link, fmt::format("does not lead to {}", name));
}

Result<stem4d::Propagation> ResultFile::propagation() const {
    SLUICE_TRY(auto const near, number("near_field"));
    if (near != 0 && near != 1) return damaged("near_field", "is neither 0 nor 1");
    return near == 1 ? stem4d::Propagation::near : stem4d::Propagation::far;
}

template <class T>
Result<Array<T>> ResultFile::array(std::string const& name, std::size_t axes, bool wanted) {
    SLUICE_TRY(auto const found, root_.find(name));
    if (!found && !wanted) {
        SLUICE_CHECK(check_absent(name));
        return Array<T>{};
    }
    if (!found || !found->is_dataset()) return damaged(name, "is missing");
    SLUICE_TRY(DatasetInfo const info, hdf5::object::dataset_info(*found));
    if (!is_of<T>(info.type))
        return damaged(name, fmt::format("holds {}, and not {}", info.type.name(), name_of<T>()));
    auto const count = info.space.count();
    if (info.space.null || info.space.extent.size() != axes || !count || *count > most_elements)
        return damaged(name, fmt::format("has the shape {}, and not {} axes",
                                         fmt::join(info.space.extent, "x"), axes));
    std::uint64_t const bytes = *count * sizeof(T);
    Array<T> out;
    out.shape.assign(info.space.extent.begin(), info.space.extent.end());
    if (bytes == 0) {
        SLUICE_CHECK(check(name, {}));
        return out;
    }
    bool const plain = info.layout.kind == LayoutClass::contiguous && !info.external;
    auto const& source = found->source();
    std::uint64_t const size = source.bytes().size();
    if (plain && !source.defined(info.layout.address)) return damaged(name, "was never written");
    if (plain && (info.layout.address > size || source.sb().base > size - info.layout.address ||
                  bytes > size - source.sb().base - info.layout.address))
        return damaged(name, "lies beyond the end of the file");
    if (bytes > left_)
        return Error{
            Code::out_of_memory,
            fmt::format("the result's {} takes {:.2f} GB and {:.2f} GB are free; read it "
                        "on a machine with more memory",
                        name, static_cast<double>(bytes) * 1e-9, static_cast<double>(left_) * 1e-9),
            root_.file()};
    if (plain) {
        out.values.resize(static_cast<std::size_t>(*count));
        SLUICE_CHECK(read_contiguous(*found, info, std::as_writable_bytes(std::span(out.values))));
    } else {
        SLUICE_TRY(auto const elements, hdf5::object::read_elements(*found, left_));
        out.values.resize(static_cast<std::size_t>(*count));
        expects(elements.bytes.size() == bytes);
        std::memcpy(out.values.data(), elements.bytes.data(), elements.bytes.size());
    }
    left_ -= bytes;
    SLUICE_CHECK(check(name, std::as_bytes(std::span(out.values))));
    return out;
}

template Result<Array<std::complex<float>>> ResultFile::array(std::string const&, std::size_t,
                                                              bool);
template Result<Array<float>> ResultFile::array(std::string const&, std::size_t, bool);
template Result<Array<double>> ResultFile::array(std::string const&, std::size_t, bool);

Result<double> ResultFile::number(std::string const& name) const {
    SLUICE_TRY(auto const found, hdf5::object::read_number(root_, name));
    if (found)
        SLUICE_CHECK(check(name, std::as_bytes(std::span(&*found, 1))));
    else
        SLUICE_CHECK(check_absent(name));
    if (found && !std::isfinite(*found)) return damaged(name, "is not a finite number");
    return found.value_or(0);
}

Result<stem4d::Position> ResultFile::pair(std::string const& name) {
    SLUICE_TRY(auto const two, array<double>(name, 1, false));
    if (two.values.empty()) return stem4d::Position{};
    if (two.values.size() != 2) return damaged(name, "is not a pair of numbers");
    stem4d::Position const p{two.values[0], two.values[1]};
    if (!is_finite(p)) return damaged(name, "has NaN or infinite values");
    return p;
}

Result<std::vector<stem4d::Position>> ResultFile::places(std::string const& name, bool wanted) {
    SLUICE_TRY(auto const flat, array<double>(name, 2, wanted));
    std::vector<stem4d::Position> places;
    if (flat.shape.empty()) return places;
    if (flat.shape[1] != 2) return damaged(name, "is not an array [pattern][row, column]");
    for (std::size_t j = 0; j + 1 < flat.values.size(); j += 2) {
        places.push_back({flat.values[j], flat.values[j + 1]});
        if (!is_finite(places.back())) return damaged(name, "has NaN or infinite values");
    }
    return places;
}

Status ResultFile::words(stem4d::SavedPtychography& into) const {
    SLUICE_TRY(auto const attributes, hdf5::object::attributes_of(root_));
    for (auto const& [name, value] : attributes) {
        SLUICE_TRY(auto const texts, hdf5::object::texts_of(root_.source(), value));
        if (texts.size() != 1 || name == "kind" || name == digests_attribute) continue;
        std::string const& text = texts.front();
        if (name.starts_with(setting_prefix)) {
            into.settings.emplace_back(name.substr(std::string_view(setting_prefix).size()), text);
        } else if (name == "note") {
            for (std::size_t at = 0; at <= text.size();) {
                std::size_t const end = std::min(text.find('\n', at), text.size());
                into.result.notes.push_back(text.substr(at, end - at));
                at = end + 1;
            }
        } else {
            into.provenance.add(name, text);
        }
    }
    put_in_order(into.settings);
    return {};
}

}  // namespace sluice::ptycho
