// The tables of what slides are read and converted with.
// SPDX-License-Identifier: Apache-2.0
#include "domain/slide/fields.h"

#include <charconv>

#include "domain/slide/words.h"

namespace sluice::slide {

namespace {

using config::field;
using config::Shown;
using Convert = ConvertOptions;
using PlaneIndices = std::map<char, std::int32_t>;

// Several come with commas between them.
Status read_indices(Shown const& shown, std::string_view text, PlaneIndices& out) {
    std::vector<std::string> parts;
    SLUICE_CHECK(config::read_value(shown, text, parts));
    PlaneIndices found;
    for (std::string const& part : parts) {
        int at = 0;
        bool const good = part.size() > 2 && part[1] == '=' &&
                          config::read_value(shown, std::string_view(part).substr(2), at);
        if (!good)
            return Error{Code::invalid_argument,
                         fmt::format("{} '{}' (must be a letter and an index); write H=2",
                                     shown.name, part)};
        found[part[0]] = at;
    }
    out = std::move(found);
    return {};
}

std::string indices_text(PlaneIndices const& indices) {
    std::string text;
    for (auto const& [letter, at] : indices)
        text += fmt::format("{}{}={}", text.empty() ? "" : ",", letter, at);
    return text;
}

// Pixels of floats can be NaN.
Status read_sample(Shown const& shown, std::string_view text, double& out) {
    double value = 0;
    auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size())
        return Error{
            Code::invalid_argument,
            fmt::format("{} is '{}' (not a number) give the value of a pixel", shown.name, text)};
    out = value;
    return {};
}
Status read_some_sample(Shown const& shown, std::string_view text, std::optional<double>& out) {
    double value = 0;
    SLUICE_CHECK(read_sample(shown, text, value));
    out = value;
    return {};
}
std::string sample_text(std::optional<double> const& sample) {
    return config::value_text(sample);
}

// What bad tiles become, in both tables.
template <auto at>
constexpr auto fill_bad_field() {
    return config::custom_field<at, read_some_sample, sample_text>(
        "fill_bad", "fill damaged tiles with this, name them, and go on [stop at the first]");
}

constexpr config::Field<ReadOptions> of_read[] = {
    field<&ReadOptions::reduced>(
        "reduced",
        "with --zoom, where there is no pyramid: decode JPEG XR at 1/4 or 1/16 only; "
        "much faster, low-pass values instead of means"),
    config::custom_field<&ReadOptions::background, read_sample, sample_text>(
        "background", "pixel value where no tile lies"),
    fill_bad_field<&ReadOptions::fill_bad>(),
};

constexpr config::Field<Convert> of_convert[] = {
    field<&Convert::ngff>("ngff", "OME-Zarr 0.4 (Zarr version 2) or 0.5 (version 3)"),
    field<&Convert::layout>("layout",
                            "scenes (groups 0, 1, ...), plate, merged (one canvas), or auto: plate "
                            "when all scenes stand in one")
        .called("--arrange"),
    field<&Convert::scenes>("scenes", "only these, as in 0,2"),
    field<&Convert::channels>("channels", "only these, as in 0,1"),
    config::custom_field<&Convert::plane, read_indices, indices_text>(
        "plane", "indices of dimensions that OME-Zarr lacks, as in H=2")
        .listed(),
    field<&Convert::chunk>("chunk", "pixels along the side of a chunk"),
    field<&Convert::shard>(
        "shard", "0.5: pixels along the side of a file of several chunks; 0: a file for each"),
    field<&Convert::codec>("codec", "of chunks"),
    field<&Convert::codec_level>("codec_level", "0 to 9, of zstd to 22; -1: 5, of zstd 3"),
    field<&Convert::min_size>("min_size", "halve levels until no side is longer"),
    config::custom_field<&Convert::fill, read_sample, sample_text>("fill",
                                                                   "pixel value where no tile lies")
        .called("--background"),
    fill_bad_field<&Convert::fill_bad>(),
    field<&Convert::resume>("resume", "go on with what was interrupted"),
    field<&Convert::overwrite>("overwrite", "replace what is there").called("--force"),
    field<&Convert::verify>("verify", "read the whole output again afterwards, and compare"),
};

}  // namespace

config::Fields<ReadOptions> read_fields() {
    return of_read;
}
config::Fields<ConvertOptions> convert_fields() {
    return of_convert;
}

}  // namespace sluice::slide
