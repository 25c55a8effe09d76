#pragma once
// The steps of a line in space: those of rk4, and of dopri5 where cells cannot be crossed in their own
// coordinates; also finds the end of a block by such steps.

#include "core/flow/block_exit.h"
#include "core/flow/cell_steps.h"
#include "core/flow/integrator.h"
#include "core/flow/traced_line.h"

namespace farfield::flow {

/// Belongs to the line's task. Any call may stop it, and throws what the field and the sink throw.
class SpaceSteps {
 public:
  /// rk4 uses `cells` to go to the end of a block.
  SpaceSteps(TracedLine& line, CellSteps& cells) : m_line(line), m_cells(cells) {}

  /// Attempts steps from the last vertex until one is accepted or the line ends.
  void step();

 private:
  double firstAttempt();
  enum class Search { Never, IfFar };
  Step attempt(double h, Search search = Search::IfFar);
  double errorOf(const Step& step, double h) const;
  bool leaveBlock(const Step& beyond, double& h);
  bool followOut(const Step& beyond, double h, BlockExit& exit);
  void endOrEnter(const Step& last, double s, double error, double wished);
  void takeLast(const Step& last, double s, double error);
  bool retreat(const Step& failed, double& h, bool again);
  void accept(const Step& step, double h, double error, bool retreated);

  TracedLine& m_line;
  CellSteps& m_cells;
};

}  // namespace farfield::flow
