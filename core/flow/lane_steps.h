#pragma once
// The steps of several paths through their cells at once, each in a lane of the processor's vectors. What is computed for a
// lane are the operations of CellSteps with a fields::ChangingHexahedronFlow, in the same order, so that its result has the
// same bits. Where CellSteps would do anything but take one step to the next face, or as far as the error allows, the
// lane says so.

#include <array>
#include <cstddef>
#include <cstdint>

namespace farfield::flow {

constexpr std::size_t kLanes = 8;

/// Arguments and results of takeSteps(), a column for each lane. Times are physical, as in LineField.
struct LaneSteps {
  struct alignas(sizeof(double) * kLanes) Row : std::array<double, kLanes> {};
  using Rows3 = std::array<Row, 3>;
  static constexpr std::size_t kVectorNumbers =
      24;  ///< of a TrilinearVector, and of vectors at eight corners

  // The same for all lanes.
  double since = 0, until = 0;  ///< of the step and of the next one
  double tolerance = 0, hermiteTolerance = 0, smallestLength = 0, diagonal = 0;

  // The cells, where their numbers lie: those of fields::TrilinearVector in its order, and velocities at the corners.
  using Numbers = std::array<const double*, kLanes>;  ///< kVectorNumbers for each lane
  Numbers map{}, nextMap{};                           ///< `nextMap` of cells that move
  Numbers velocities{}, nextVelocities{};

  // The last vertex, and the way to it.
  Rows3 xi, position;
  Row isNear;     ///< not 0: `xi` is only near to where `position` is in the cell, whose map does not move
  Row evaluated;  ///< time at which the vertex's velocity is evaluated
  Row time;       ///< at which the step begins
  Rows3 before;   ///< the vertex before; of lanes that have just come into their cell
  Rows3 velocityBefore;      ///< there
  Row speedBefore, hBefore;  ///< there, and the time from there

  // The step.
  Row rest;          ///< the time until the path ends
  Row largestSpeed;  ///< so far
  Row leastPace;     ///< of any speed
  Row wish;          ///< its time, at most
  Row again;         ///< its time, of a step that is tried again; else 0

  // Results. Of the last vertex:
  std::uint8_t
      found;  ///< of lanes that were near, those whose `xi` is now what TrilinearMap finds, in the cell
  Rows3 velocity;
  Row speed, arcLength;  ///< `arcLength` of the way to it
  std::uint8_t finite;   ///< lanes (by bits) whose velocity there is finite
  // Of the step:
  std::uint8_t possible;  ///< lanes that CellSteps would take one step in, with one vertex, or try again
  std::uint8_t accepted;  ///< lanes with a step whose error is small enough
  std::uint8_t exits;     ///< lanes that leave the cell
  Row h, error;           ///< time that was tried for the step, its error in units of the largest allowed
  Row whole;              ///< time of the accepted one
  Row face;               ///< by which it leaves
  Rows3 endXi, endPosition;
  // Of its end, where it does not leave the cell:
  Rows3 endVelocity;
  Row endArcLength;
  std::uint8_t endFinite;
};

/// Takes a step in each of the first `lanes` lanes, of which there is one at least; what the others hold does not matter, but their cells have numbers.
/// All cells move or none does.
void takeSteps(LaneSteps& steps, std::size_t lanes, bool moving);

}  // namespace farfield::flow
