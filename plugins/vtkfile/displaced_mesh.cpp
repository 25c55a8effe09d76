#include "plugins/vtkfile/displaced_mesh.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <string_view>

#include "core/base/error.h"
#include "core/base/printable.h"

namespace farfield::vtkfile {
namespace {

constexpr const char *kShape = "shape", *kDisplacement = "displacement", *kFactor = "factor";
constexpr const char *kStored = "stored", *kDisplaced = "displaced";
/// What is offered, besides one that was chosen.
constexpr std::array<double, 7> kFactors{0.1, 0.5, 1, 2, 5, 10, 100};

bool movesNodes(const paging::MeshVariable& variable) {
  return !variable.onCells && variable.components == 3;
}

/// Those of the first; others of the same data have them as well, or are refused.
std::vector<std::string> vectorsOf(const paging::MeshInput& input) {
  std::vector<std::string> names;
  for (const paging::MeshVariable& variable : input.variables())
    if (movesNodes(variable)) names.push_back(variable.name);
  return names;
}

std::size_t usualOf(const std::vector<std::string>& names) {
  constexpr std::string_view kBegin = "dis";
  const auto found = std::find_if(names.begin(), names.end(), [&](const std::string& name) {
    return name.size() >= kBegin.size() &&
           std::equal(kBegin.begin(), kBegin.end(), name.begin(), [](char wanted, char letter) {
             return std::tolower(static_cast<unsigned char>(letter)) == wanted;
           });
  });
  return found == names.end() ? 0 : static_cast<std::size_t>(found - names.begin());
}

std::string textOf(double number) {
  std::array<char, 32> text;
  return {text.data(), std::to_chars(text.data(), text.data() + text.size(), number).ptr};
}

/// A grid with its nodes moved; all else is its own.
class DisplacedInput final : public paging::MeshInput {
 public:
  DisplacedInput(std::shared_ptr<const MeshInput> input, std::size_t vector, double factor)
      : m_input(std::move(input)), m_vector(vector), m_factor(factor) {}

  std::int64_t nodes() const override { return m_input->nodes(); }
  ScalarType pointType() const override {
    const bool isShort = m_input->pointType() == ScalarType::F32 && variable().type == ScalarType::F32;
    return isShort ? ScalarType::F32 : ScalarType::F64;
  }
  std::int64_t pointSteps() const override { return std::max(m_input->pointSteps(), variable().steps); }
  void readPoints(std::int64_t step, std::int64_t first, std::span<double> out) const override {
    m_input->readPoints(m_input->pointSteps() > 1 ? step : 0, first, out);
    const auto each = static_cast<std::size_t>(sizeOf(variable().type));
    std::vector<std::byte> bytes(out.size() * each);
    m_input->readVariable(m_vector, variable().steps > 1 ? step : 0, first, bytes);
    for (std::size_t n = 0; n < out.size(); ++n)
      out[n] += m_factor * valueAt(bytes.data(), variable().type, static_cast<std::int64_t>(n));
  }
  void forEachCell(const VisitCell& visit) const override { m_input->forEachCell(visit); }
  bool hasVolumes() const override { return m_input->hasVolumes(); }
  void forEachFlatCell(const VisitFlatCell& visit) const override { m_input->forEachFlatCell(visit); }
  const std::vector<paging::MeshVariable>& variables() const override { return m_input->variables(); }
  void readVariable(std::size_t number, std::int64_t step, std::int64_t first,
                    std::span<std::byte> out) const override {
    m_input->readVariable(number, step, first, out);
  }
  const std::vector<paging::MeshSurface>& surfaces() const override { return m_input->surfaces(); }
  void forEachFace(std::size_t surface, const VisitFace& visit) const override {
    m_input->forEachFace(surface, visit);
  }
  void checkUnchanged() const override { m_input->checkUnchanged(); }

 private:
  const paging::MeshVariable& variable() const { return m_input->variables()[m_vector]; }

  std::shared_ptr<const MeshInput> m_input;
  std::size_t m_vector;
  double m_factor;
};

fields::ReadingChoice shapeChoice(bool displaced) {
  fields::ReadingChoice choice{kShape, "Shape", {{kStored, "As stored"}, {kDisplaced, "Moved by a vector"}}};
  choice.now = displaced ? 1 : 0;
  return choice;
}

fields::ReadingChoice vectorChoice(const std::vector<std::string>& names, std::size_t now) {
  fields::ReadingChoice choice{kDisplacement, "Moved by", {}};
  for (const std::string& name : names) choice.values.push_back({name, printable(name)});
  choice.now = now;
  choice.byDefault = usualOf(names);
  return choice;
}

fields::ReadingChoice factorChoice(double now) {
  fields::ReadingChoice choice{kFactor, "Times", {}};
  std::vector<double> factors(kFactors.begin(), kFactors.end());
  if (std::find(factors.begin(), factors.end(), now) == factors.end())
    factors.insert(std::upper_bound(factors.begin(), factors.end(), now), now);
  for (const double factor : factors) {
    if (factor == now) choice.now = choice.values.size();
    if (factor == 1) choice.byDefault = choice.values.size();
    choice.values.push_back({textOf(factor), textOf(factor)});
  }
  return choice;
}

}  // namespace

const std::vector<std::string>& displacementOptionNames() {
  static const std::vector<std::string> names = {kShape, kDisplacement, kFactor};
  return names;
}

DisplacementOptions displacementOptions(const arrays::Options& options) {
  DisplacementOptions its;
  const auto textOfOption = [&](const char* key) {
    const auto found = options.find(key);
    return found == options.end() ? std::string() : found->second;
  };
  if (const std::string shape = textOfOption(kShape); !shape.empty()) {
    if (shape != kStored && shape != kDisplaced)
      throw Invalid("the option shape has no value '" + printable(shape) + "'", "give stored or displaced");
    its.displaced = shape == kDisplaced;
  }
  its.vector = textOfOption(kDisplacement);
  if (options.contains(kFactor)) its.factor = arrays::numbersOf(kFactor, textOfOption(kFactor), 1).front();
  return its;
}

void displace(std::vector<std::shared_ptr<const paging::MeshInput>>& inputs,
              const DisplacementOptions& options, fields::MeshDataOptions& mesh) {
  const std::vector<std::string> names = vectorsOf(*inputs.front());
  if (names.empty() && options.displaced)
    throw Invalid("has no vector of three components on its nodes, by which they could be moved",
                  "leave the option shape out");
  if (names.empty()) return;
  mesh.choices.push_back(shapeChoice(options.displaced));
  if (!options.displaced) {
    if (!options.vector.empty() || options.factor != 1)
      mesh.explanation.emplace_back("nodes are where they are stored: the option shape=displaced moves them");
    return;
  }
  std::size_t now = usualOf(names);
  if (!options.vector.empty()) {
    now = static_cast<std::size_t>(std::find(names.begin(), names.end(), options.vector) - names.begin());
    std::string known;
    for (const std::string& name : names) known += (known.empty() ? "" : ", ") + printable(name);
    if (now == names.size())
      throw Invalid("has no vector '" + printable(options.vector) + "' on its nodes", "use one of: " + known)
          .at(std::string("option ") + kDisplacement);
  }
  mesh.choices.push_back(vectorChoice(names, now));
  mesh.choices.push_back(factorChoice(options.factor));
  for (auto& input : inputs) {
    const auto& variables = input->variables();
    const auto found = std::find_if(variables.begin(), variables.end(), [&](const auto& variable) {
      return movesNodes(variable) && variable.name == names[now];
    });
    if (found == variables.end())
      throw Unsupported("not all steps have the vector '" + printable(names[now]) + "' on their nodes",
                        "choose another one, or open the steps one at a time, with --option step=N");
    const auto number = static_cast<std::size_t>(found - variables.begin());
    input = std::make_shared<DisplacedInput>(std::move(input), number, options.factor);
  }
  mesh.explanation.push_back("nodes are moved by " + printable(names[now]) +
                             (options.factor == 1 ? "" : ", " + textOf(options.factor) + " times as far"));
}

}  // namespace farfield::vtkfile
