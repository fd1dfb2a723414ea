// ResultFile: the arrays and words of a saved result; the file may be damaged or hostile.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "format/hdf5/object/object.h"
#include "sluice/ptychography_file.h"

namespace sluice::ptycho {

class ResultFile {
  public:
    /// Fails where the file does not say that it is a result.
    static Result<ResultFile> open(std::string const& path, std::uint64_t most_bytes);

    /// An array of T, which is complex<float>, float or double, of so many axes. It is empty where
    /// the file lacks it and it is not `wanted`. Memory is taken after its place in the file was
    /// looked at.
    template <class T>
    Result<Array<T>> array(std::string const& name, std::size_t axes, bool wanted = true);
    /// One finite number; 0 where the file has none.
    Result<double> number(std::string const& name) const;
    /// Two of them.
    Result<stem4d::Position> pair(std::string const& name);
    /// [n][2] as places, all finite.
    Result<std::vector<stem4d::Position>> places(std::string const& name, bool wanted);
    /// Settings, notes and the rest of the root's attributes.
    Status words(stem4d::SavedPtychography& into) const;

    /// Fails where another name of an array leads elsewhere, or nowhere.
    Status same(std::string const& link, std::string const& name) const;
    /// Whether the file has a digest of each array: then all that is read is compared with it.
    bool has_digests() const { return has_digests_; }
    /// "far" or "near"; far where the file does not say.
    Result<stem4d::Propagation> propagation() const;

    /// "its NAME has PROBLEM", and what to do.
    Error damaged(std::string const& name, std::string_view problem) const;

  private:
    ResultFile(hdf5::object::Object root, std::uint64_t left, bool has_digests)
        : root_(std::move(root)), left_(left), has_digests_(has_digests) {}
    Status check(std::string const& name, Bytes bytes) const;
    /// Checks that a missing array was never written.
    Status check_absent(std::string const& name) const;

    hdf5::object::Object root_;
    std::uint64_t left_;  // bytes that may still be taken
    bool has_digests_;
};

}  // namespace sluice::ptycho
