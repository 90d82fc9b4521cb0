// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/stream/output.h"

#include <algorithm>

#include "core/decode/part.h"

namespace rowfeed {

std::vector<Splits> SplitsOf(const Output& output, const Batch& batch) {
  if (!output.column.is_variable()) return {};
  const size_t first = output.lengths.empty() ? output.values : output.lengths[0];
  std::vector<Splits> splits = {{batch.parts[first].offsets, batch.num_rows + 1}};
  for (const size_t lengths : output.lengths) {
    const BatchPart& part = batch.parts[lengths];
    splits.push_back(
        {reinterpret_cast<int64_t*>(part.data), part.offsets[batch.num_rows] + 1});
  }
  return splits;
}

size_t CountOutputs(const std::vector<Feature>& features) {
  const auto masks =
      std::count_if(features.begin(), features.end(),
                    [](const Feature& feature) { return feature.with_mask; });
  return features.size() + masks;
}

Result<std::vector<Output>> ResolveOutputs(const std::vector<Feature>& features,
                                           const Catalog& catalog) {
  std::vector<Output> outputs;
  size_t part = 0;
  for (const Feature& feature : features) {
    ROWFEED_ASSIGN_OR_RETURN(const FeatureSource source,
                             ResolveFeature(feature, catalog));
    Output output{source.column, {}, 0};
    const size_t first = part;
    for (const Part& made : PartsOf(source.column, feature.with_mask)) {
      if (made.kind == Part::Kind::kLengths) output.lengths.push_back(part);
      if (made.kind == Part::Kind::kValues) output.values = part;
      ++part;
    }
    outputs.push_back(output);
    if (!feature.with_mask) continue;
    Output mask{MaskOf(source.column), {}, part - 1};
    for (int level = 1; level < source.column.ragged_rank; ++level) {
      mask.lengths.push_back(first + level - 1);
    }
    outputs.push_back(mask);
  }
  return outputs;
}

}  // namespace rowfeed
