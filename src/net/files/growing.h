// Growing: an acquisition whose files are being written, and which of its images are whole.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <deque>
#include <map>
#include <memory>
#include <vector>

#include "format/frame_source.h"
#include "format/while_written.h"
#include "net/files/stamps.h"

namespace sluice::net::files {

/// How often files are looked at, at most.
constexpr std::chrono::milliseconds between_looks{20};

/// The files are opened again and again by the reader of their format. An image is whole where its
/// bytes are all there and can be decoded.
class Growing {
  public:
    using Clock = std::chrono::steady_clock;
    /// `between`: looks are so far apart, and as long as the last one took; 0: each call looks.
    Growing(std::string path, OpenOptions options, Clock::duration between = between_looks);

    /// Opens the files again, where something may have changed. Errors: they are no longer what
    /// they were: replaced, shorter, of another form. That they cannot be opened yet is no error.
    Status look(Clock::time_point begin = Clock::now());
    std::string const& path() const { return path_; }
    /// Null: they could not be opened yet.
    Dataset const* dataset() const { return dataset_ ? &*dataset_ : nullptr; }
    WhileWritten::Announced const& announced() const { return announced_; }
    /// Why they cannot be opened now.
    std::optional<Error> const& trouble() const { return trouble_; }
    /// For how long nothing has changed.
    double quiet_s() const;

    struct Image {
        index number = 0;
        EncodedFrame frame = {};
        std::shared_ptr<void const> owner = {};  ///< of the frame's bytes
    };
    /// The next whole images, a few; each is given once.
    std::vector<Image> take();
    /// Whether these images are of the files that were looked at.
    Status still_same();
    index taken() const { return taken_; }
    /// Images that are there and cannot be read, as of the last try.
    std::map<index, Error> const& unread() const { return unread_; }
    /// How often one of many files was opened; what did not change stays open.
    index opened_files() const { return files_.opened(); }
    /// All files, as far as they are known.
    std::vector<Identity> identities() const;

  private:
    using Stamps = std::map<std::string, std::optional<Stamp>>;
    Stamps stamps() const;
    bool is_beside(std::string const& file) const;
    Status check_same(Stamps const& now) const;
    void keep_open(Clock::time_point begin, Stamps const& now, bool same);
    bool settled(std::string const& path) const;
    Status check_begin();
    Status check_taken(Dataset const& now);
    Status check_form(Dataset const& now, WhileWritten::Announced const& announced) const;
    std::optional<Error> hole() const;
    void list_new();
    void add_taken(index number);
    void fetch(index first, std::size_t count, std::vector<Image>& out);

    std::string path_;
    OpenOptions options_;
    Clock::duration between_;
    std::optional<Dataset> dataset_ = {};
    WhileWritten::Announced announced_ = {};
    std::optional<Error> trouble_ = {};
    Stamps stamps_ = {};
    std::map<std::string, Clock::time_point> since_ = {};  ///< when a stamp was seen first
    HeldFiles files_ = {};
    std::vector<std::byte> begin_ = {};  ///< the file's first bytes, which stay
    Clock::time_point changed_, opened_ = {}, next_ = {};
    std::vector<bool> done_ = {};             ///< [image]
    std::map<index, index> taken_runs_ = {};  ///< the same: first image, and behind the last one
    int gone_ = 0;                            ///< looks in a row that lacked frames that were read
    index taken_ = 0;
    index done_before_ = 0;  ///< all images before it are done
    std::deque<FrameRun> new_ = {};
    std::map<index, Error> unread_ = {};
    std::vector<std::byte> room_ = {};
};

}  // namespace sluice::net::files
