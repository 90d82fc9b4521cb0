// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/stream/batch_stream.h"

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "core/batch/batch.h"
#include "core/stream/conversion_timer.h"
#include "python/batch_tensors.h"
#include "python/gil.h"
#include "python/interruption.h"
#include "python/packed_batch.h"
#include "python/registration.h"
#include "python/status_caster.h"
#include "python/tensor_maker.h"

namespace py = pybind11;

namespace rowfeed {
namespace {

// How often a waiting next() looks for signals.
constexpr std::chrono::milliseconds kPoll(100);

// A BatchStream whose batches are arrays or tensors of Python or, if it packs,
// PackedBatches, which become tensors on a device. Calls that can wait release the GIL.
class PyBatchStream {
 public:
  PyBatchStream(std::shared_ptr<Cursor> cursor, const StreamOptions& options,
                const std::optional<py::capsule>& exchange, bool packs)
      : cursor_(std::move(cursor)),
        stream_(BatchStream::Make(cursor_, options)),
        tensors_(std::make_shared<BatchTensors>(stream_->outputs(), exchange)),
        packs_(packs) {
    if (packs && !exchange) throw py::value_error("packs needs an exchange");
  }

  ~PyBatchStream() {
    GilReleased unlocked;
    stream_.reset();
    cursor_.reset();
  }

  // Returns (tensors, valid or None) or, if it packs, a PackedBatch; None at the end.
  py::object Next() {
    Batch batch;
    Interruption interruption;
    while (true) {
      const Result<BatchStream::Pull> pull = Pull(&batch, &interruption);
      interruption.Raise();
      if (!pull.ok()) RaiseStatus(pull.status());
      if (*pull == BatchStream::Pull::kEnd) return py::none();
      if (*pull == BatchStream::Pull::kBatch) return Convert(std::move(batch));
      if (PyErr_CheckSignals() != 0) throw py::error_already_set();
    }
  }

  Result<int64_t> Skip(int64_t num_batches) { return stream_->Skip(num_batches); }
  Status Restore(const Progress& progress) { return stream_->Restore(progress); }
  Progress GetProgress() const { return stream_->progress(); }
  int64_t NextEpoch() const { return stream_->progress().next_epoch; }
  void Close() { stream_->Close(); }

 private:
  py::object Convert(Batch batch) {
    conversion_.Begin(batch);
    py::object made;
    if (packs_) {
      made =
          py::cast(std::make_unique<PackedBatch>(std::move(batch), tensors_, cursor_));
    } else {
      made = tensors_->Of(std::move(batch));
    }
    conversion_.End(stream_.get());
    return made;
  }

  Result<BatchStream::Pull> Pull(Batch* batch, Interruption* interruption) {
    GilReleased unlocked;
    return stream_->Next(kPoll, batch, [=] { return interruption->Asked(); });
  }

  std::shared_ptr<Cursor> cursor_;
  std::unique_ptr<BatchStream> stream_;
  const std::shared_ptr<const BatchTensors> tensors_;
  const bool packs_;
  ConversionTimer conversion_;
};

}  // namespace

void RegisterBatchStream(py::module_& module) {
  module.def(
      "is_dlpack_exchange",
      [](const py::object& found) { return FindExchange(found) != nullptr; },
      py::arg("found"));
  py::class_<PyBatchStream>(module, "BatchStream")
      .def(py::init<std::shared_ptr<Cursor>, const StreamOptions&,
                    const std::optional<py::capsule>&, bool>(),
           py::arg("cursor"), py::arg("options"), py::arg("exchange") = py::none(),
           py::arg("packs") = false)
      .def("next", &PyBatchStream::Next)
      .def("skip", &PyBatchStream::Skip, Unlocked(), py::arg("num_batches"))
      .def_property_readonly("progress",
                             py::cpp_function(&PyBatchStream::GetProgress, Unlocked()))
      // Callers read this for each batch, so it makes no Progress and keeps the GIL.
      .def_property_readonly("next_epoch", &PyBatchStream::NextEpoch)
      .def("restore", &PyBatchStream::Restore, Unlocked(), py::arg("progress"))
      .def("close", &PyBatchStream::Close, Unlocked());
}

}  // namespace rowfeed
