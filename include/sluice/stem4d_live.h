// LiveStream, LiveScan: scans from the detector while they are measured.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "sluice/detector_control.h"
#include "sluice/feed_state.h"
#include "sluice/growing_scan.h"
#include "sluice/stem4d_analyze.h"
#include "sluice/stream.h"

namespace sluice::stem4d {

struct LiveOptions {
    StreamOptions stream = {};
    /// (rows, columns); empty: what the stream says, else a square.
    std::optional<std::array<index, 2>> scan = {};
    ScanOrder order = ScanOrder::raster;
    index flyback = 0;  ///< images after each row that belong to no point
    /// [image][row, column] of points, instead of both; -1, -1: of none. Empty: none.
    Array<float> positions = {};
    std::string positions_file = {};  ///< for errors
    index reorder = 4096;             ///< an image so many numbers behind the newest one is lost
    /// So is one that two later images have waited for so long, seconds; 0: only numbers count.
    double reorder_s = 0.25;
    /// Bytes of frames that wait; half of it for `record`.
    std::uint64_t memory = std::uint64_t{1} << 30;
    RecordOptions record = {};
    /// Sets and arms the detector for each scan; empty: nothing is done to it.
    std::optional<ArmOptions> arm = {};
};

/// One series. Its frames are received on a thread of its own from the start on. Threads may share
/// it. It ends the series when it ends itself.
class LiveScan {
  public:
    LiveScan(LiveScan&&) noexcept;
    LiveScan& operator=(LiveScan&&) noexcept;
    ~LiveScan();

    /// What the stream calls the series.
    std::string const& series() const;
    /// With a feed: Scan::load() and analyze_live() analyse its frames as they come, once.
    Dataset const& dataset() const;
    FeedState state() const;
    /// Where frames were given up, ascending; complete once the scan has ended.
    std::vector<FrameRun> gaps() const;
    /// What was wrong with what came since the scan before.
    std::vector<StreamProblem> problems() const;
    /// Why no more frames come; empty: they do, or the series is complete.
    std::string why_ended() const;
    /// No frame comes any more: what came is kept.
    void end(std::string const& why);
    /// Waits for the end of the series, which may go on when the scan is complete, and of its
    /// recording.
    void wait();
    /// Nobody looks at frames any more, as after an error: the series is recorded up to its end.
    void only_record();
    /// What was recorded, after wait(); empty: it was not asked for.
    std::optional<RecordReport> record() const;
    /// What was done to the detector, complete after wait(); empty: it was not armed.
    std::optional<ControlReport> control() const;

    /// The bright-field disk on the first frames, which stay to be read. Waits for them. `used`
    /// hears how many came.
    Result<Disk> find_disk(index frames, LoadOptions const& load, index& used) const;

    /// Keeps all frames in memory from now on, instead of analyze_live(). Errors: those of
    /// GrowingScan::begin(); it was called already.
    Status keep(LoadOptions const& load);
    /// What keep() has; null before.
    GrowingScan const* kept() const;
    /// Waits until keep() has all frames that came. Errors: out_of_memory.
    Status finish();

  private:
    friend class LiveStream;
    struct State;
    explicit LiveScan(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

class LiveStream {
  public:
    /// To an address like "tcp://127.0.0.1:31001". Who is there is heard of with the first scan.
    static Result<LiveStream> connect(std::string const& address, LiveOptions options = {});
    LiveStream(LiveStream&&) noexcept;
    LiveStream& operator=(LiveStream&&) noexcept;
    ~LiveStream();

    /// Waits for the next series; empty: go_on() said no. The scan before is over by then: this
    /// waits for it. Errors: a series of another shape than was asked for, or of several channels;
    /// a detector that cannot be armed, or what was called when it was failed.
    Result<std::optional<LiveScan>> next(GoOn const& go_on);
    /// The same while no scan has begun: of the newest scan, or since its end.
    std::vector<StreamProblem> problems() const;

  private:
    friend class LiveScan;
    struct State;
    explicit LiveStream(std::shared_ptr<State> state);
    std::shared_ptr<State> state_;
};

}  // namespace sluice::stem4d
