// DCMTK's objects as datasets and back.
// SPDX-License-Identifier: Apache-2.0
#include "format/dicom/dcmtk/files.h"

#include <dcmtk/config/osconfig.h>
#include <dcmtk/dcmdata/dcdatset.h>
#include <dcmtk/dcmdata/dcfilefo.h>
#include <dcmtk/dcmdata/dcrledrg.h>
#include <dcmtk/dcmdata/dctk.h>
#include <dcmtk/dcmjpeg/djdecode.h>
#include <dcmtk/dcmjpls/djdecode.h>
#include <dcmtk/oflog/oflog.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "base/utf8.h"
#include "format/dicom/packed.h"

namespace sluice::dicom {
namespace {

// Longer values stay in the file until they are asked for.
constexpr Uint32 short_value = 4096;
// Elements of a file; those of the largest structure sets are some hundred thousand.
constexpr std::size_t most_elements = 1 << 22;

Error unreadable(std::string const& path, OFCondition const& why) {
    return {Code::corrupt,
            fmt::format("cannot be read as DICOM ({}) copy or export it again", why.text()), path};
}

template <class T, class Get>
std::vector<double> numbers_of(DcmElement& element, Get get) {
    T* values = nullptr;
    if ((element.*get)(values).bad() || !values) return {};
    return {values, values + element.getLength() / sizeof(T)};
}

void take_value(DcmElement& from, Element& to) {
    switch (from.ident()) {
        case EVR_AE:
        case EVR_AS:
        case EVR_CS:
        case EVR_DA:
        case EVR_DS:
        case EVR_DT:
        case EVR_IS:
        case EVR_LO:
        case EVR_LT:
        case EVR_PN:
        case EVR_SH:
        case EVR_ST:
        case EVR_TM:
        case EVR_UI:
        case EVR_UC:
        case EVR_UR:
        case EVR_UT: {
            char* text = nullptr;
            Uint32 length = 0;
            if (from.getString(text, length).good() && text) to.text = as_utf8({text, length});
            return;
        }
        case EVR_FL:
            to.numbers = numbers_of<Float32>(from, &DcmElement::getFloat32Array);
            return;
        case EVR_FD:
            to.numbers = numbers_of<Float64>(from, &DcmElement::getFloat64Array);
            return;
        case EVR_SS:
            to.numbers = numbers_of<Sint16>(from, &DcmElement::getSint16Array);
            return;
        case EVR_SL:
            to.numbers = numbers_of<Sint32>(from, &DcmElement::getSint32Array);
            return;
        case EVR_UL:
            to.numbers = numbers_of<Uint32>(from, &DcmElement::getUint32Array);
            return;
        case EVR_US:
            to.numbers = numbers_of<Uint16>(from, &DcmElement::getUint16Array);
            return;
        default:
            return;
    }
}

bool is_private(DcmTag const& tag) {
    return tag.getGroup() % 2 != 0;
}

// Whether all of it was taken.
bool take_item(DcmItem& from, Dataset& to, int depth, std::size_t& left) {
    if (depth > deepest) return false;
    DcmObject* next = nullptr;
    while ((next = from.nextInContainer(next)) != nullptr) {
        auto* const element = dynamic_cast<DcmElement*>(next);
        if (!element || is_private(element->getTag())) continue;
        if (left-- == 0) return false;
        DcmTag const& tag = element->getTag();
        Element e{static_cast<Tag>(tag.getGroup()) << 16 | tag.getElement()};
        if (e.tag == tags::pixels) continue;
        if (auto* const sequence = dynamic_cast<DcmSequenceOfItems*>(element)) {
            DcmObject* item = nullptr;
            while ((item = sequence->nextInContainer(item)) != nullptr) {
                auto* const inner = dynamic_cast<DcmItem*>(item);
                if (inner && !take_item(*inner, e.items.emplace_back(), depth + 1, left))
                    return false;
            }
        } else {
            take_value(*element, e);
        }
        to.elements.push_back(std::move(e));
    }
    std::ranges::stable_sort(to.elements, {}, &Element::tag);
    auto& all = to.elements;
    auto const same = [](Element const& a, Element const& b) { return a.tag == b.tag; };
    all.erase(std::unique(all.begin(), all.end(), same), all.end());
    return true;
}

Result<Dataset> dataset_of(std::string const& path, DcmItem& from) {
    Dataset out;
    std::size_t left = most_elements;
    if (!take_item(from, out, 0, left))
        return Error{Code::unsupported,
                     fmt::format("has more than {} elements, or sequences in sequences deeper than "
                                 "{}; export it again",
                                 most_elements, deepest),
                     path};
    return out;
}

void be_silent() {
    OFLog::configure(OFLogger::OFF_LOG_LEVEL);
}

void register_decoders() {
    DcmRLEDecoderRegistration::registerCodecs();
    DJDecoderRegistration::registerCodecs();
    DJLSDecoderRegistration::registerCodecs();
}

Status put_value(DcmItem& into, Element const& e) {
    DcmTag const tag(static_cast<Uint16>(e.tag >> 16), static_cast<Uint16>(e.tag & 0xffff));
    OFCondition done = EC_Normal;
    if (e.tag == tags::frame_pointer) {
        Uint16 const pointed[] = {tags::frame_offsets >> 16, tags::frame_offsets & 0xffff};
        done = into.putAndInsertUint16Array(tag, pointed, 1);
    } else if (!e.items.empty()) {
        for (std::size_t i = 0; i < e.items.size() && done.good(); ++i) {
            DcmItem* item = nullptr;
            done = into.findOrCreateSequenceItem(tag, item, static_cast<signed long>(i));
            for (Element const& inner : e.items[i].elements)
                if (done.good()) SLUICE_CHECK(put_value(*item, inner));
        }
    } else if (!e.numbers.empty() && tag.getEVR() == EVR_FL) {
        std::vector<Float32> const values(e.numbers.begin(), e.numbers.end());
        done = into.putAndInsertFloat32Array(tag, values.data(), values.size());
    } else if (!e.numbers.empty()) {
        done = into.putAndInsertUint16(tag, static_cast<Uint16>(e.numbers[0]));
    } else {
        done = into.putAndInsertString(tag, e.text.c_str());
    }
    if (done.good()) return {};
    return Error{Code::io, fmt::format("{} cannot be written ({})", name_of(e.tag), done.text())};
}

}  // namespace

Result<Dataset> read_by_dcmtk(std::string const& path) {
    be_silent();
    DcmFileFormat file;
    OFCondition const read =
        file.loadFile(path.c_str(), EXS_Unknown, EGL_noChange, short_value, ERM_autoDetect);
    if (read.bad()) return unreadable(path, read);
    return dataset_of(path, *file.getDataset());
}

Result<std::vector<std::byte>> pixels_by_dcmtk(std::string const& path, std::uint64_t bytes) {
    be_silent();
    register_decoders();
    DcmFileFormat file;
    OFCondition const read =
        file.loadFile(path.c_str(), EXS_Unknown, EGL_noChange, short_value, ERM_autoDetect);
    if (read.bad()) return unreadable(path, read);
    DcmDataset& dataset = *file.getDataset();
    DcmXfer const packing(dataset.getOriginalXfer());
    if (OFCondition const unpacked =
            dataset.chooseRepresentation(EXS_LittleEndianExplicit, nullptr);
        unpacked.bad())
        return Error{Code::unsupported,
                     fmt::format("its pixels are packed as {} ({}) unpack them, for example by "
                                 "`dcmdjpeg` or `gdcmconv --raw`",
                                 packing.getXferName(), unpacked.text()),
                     path};
    DcmElement* element = nullptr;
    if (dataset.findAndGetElement(DCM_PixelData, element).bad() || !element)
        return Error{Code::corrupt,
                     name_of(tags::pixels) + " is missing; copy or export the file again", path};
    // A file of odd length has a byte more.
    std::uint64_t const there = element->getLength();
    if (there != bytes + bytes % 2)
        return Error{
            there < bytes ? Code::truncated : Code::corrupt,
            fmt::format("{} has {} bytes where its rows, columns and bits declare {}; copy "
                        "or export the file again",
                        name_of(tags::pixels), there, bytes),
            path};
    Uint16* words = nullptr;
    Uint8* single = nullptr;
    if (element->getUint16Array(words).bad() || !words) element->getUint8Array(single);
    void const* const from = words ? static_cast<void const*>(words) : single;
    if (!from)
        return Error{Code::truncated,
                     name_of(tags::pixels) + " ends too early; copy or export the file again",
                     path};
    std::vector<std::byte> out(static_cast<std::size_t>(bytes));
    std::memcpy(out.data(), from, out.size());
    return out;
}

Status write_by_dcmtk(std::string const& path, Dataset const& dataset,
                      std::span<std::uint32_t const> pixels) {
    be_silent();
    DcmFileFormat file;
    for (Element const& e : dataset.elements) SLUICE_CHECK(put_value(*file.getDataset(), e));
    OFCondition done = EC_Normal;
    if (!pixels.empty())
        done = file.getDataset()->putAndInsertUint16Array(
            DCM_PixelData, reinterpret_cast<Uint16 const*>(pixels.data()), 2 * pixels.size());
    if (done.good()) done = file.saveFile(path.c_str(), EXS_LittleEndianExplicit);
    if (done.good()) return {};
    return Error{Code::io, fmt::format("cannot be written ({})", done.text()), path};
}

}  // namespace sluice::dicom
