// Scan: a dataset with what is read of it decided, in memory or streamed from the files.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "sluice/load.h"

namespace sluice {

class Copies;
class Queue;
class ScanTables;
namespace store {
class Resident;
struct OnDevice;
struct Plan;
}  // namespace store

/// Bytes a scan takes, or would take, in each form.
struct Memory {
    std::uint64_t resident = 0;  ///< now, in memory; 0 when streamed
    std::uint64_t planes = 0;    ///< as bit planes (an estimate unless resident so); 0 for floats
    std::uint64_t source = 0;    ///< as values of its own dtype
    std::uint64_t tables = 0;    ///< of sums beside the frames, now
    std::uint64_t float32 = 0;   ///< as the float32 array that other tools make of it
};

class Scan {
  public:
    /// Loads into memory, or prepares to stream, as options.residency says.
    static Result<Scan> load(Dataset dataset, LoadOptions const& options = {});
    Scan(Scan&&) noexcept;
    Scan& operator=(Scan&&) noexcept;
    ~Scan();

    Dataset const& dataset() const { return *dataset_; }
    /// (rows, columns) of the scan and of the detector, after regions and binning.
    std::array<index, 2> scan_shape() const;
    std::array<index, 2> detector_shape() const;
    DType dtype() const;
    bool resident() const { return resident_ != nullptr; }
    /// "bit planes", "lines of bit planes", "uint16 values" and so on.
    std::string layout() const;
    Memory memory() const;
    /// Of a live scan, once its feed has ended: frames that did not come are not measured from now
    /// on. Before results are finished; other scans stay as they are.
    void settle();
    /// What was masked, binned, converted or missing; complete once the frames have been read.
    std::vector<std::string> notes() const;
    /// Those of the notes that may make results wrong.
    std::vector<std::string> warnings() const;
    LoadOptions const& options() const { return options_; }
    /// Detector pixels without any valid stored pixel: [row][col], 1: bad.
    std::vector<std::uint8_t> bad_pixels() const;
    double scan_step_nm() const;  ///< of two points as loaded; 0: not known
    /// Angle of a detector pixel as loaded; 0: not known. A frequency that the dataset states
    /// becomes an angle by the electrons' wavelength; 0: that of the dataset's energy.
    double detector_step_mrad(double wavelength_nm = 0) const;

    // For the analyses; fold/folding.h.
    store::Plan const& plan() const { return *plan_; }
    store::Resident const* resident_store() const { return resident_.get(); }
    /// The frames on the queue's device: copied when first asked for, and kept there until memory
    /// runs short. Fails for a streamed scan, whose frames are nowhere to copy from.
    Result<std::shared_ptr<store::OnDevice const>> on(Queue& queue) const;
    /// Null where there are none: of a scan that is measured or in plain values, and of one that is
    /// streamed and has no file of tables.
    ScanTables* tables() const { return tables_.get(); }
    /// Why a file of tables was not believed, or parts of it; so far.
    std::vector<std::string> tables_notes() const;

  private:
    friend class GrowingScan;
    Scan() = default;
    void find_tables();
    std::unique_ptr<Dataset> dataset_;
    LoadOptions options_;
    std::unique_ptr<store::Plan> plan_;
    std::unique_ptr<store::Resident> resident_;
    std::unique_ptr<Copies> copies_;
    std::unique_ptr<ScanTables> tables_;
    Memory memory_;
    Layout layout_ = Layout::planes;
    std::vector<std::string> notes_, warnings_, tables_notes_;

  public:
    Layout chosen_layout() const { return layout_; }
};

}  // namespace sluice
