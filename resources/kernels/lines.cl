// Lines through bricks of nodes, one work item a line: the steps of core/flow/cell_steps.cpp for devices.
// Compiled with WITH_DOUBLE where the device computes in double precision, and with OUTPUTS, the values of a node, of
// which the first three are the velocity. POSITION and VALUE are the types in which bricks hold these of nodes: float
// also for a device that computes in double precision, where that loses nothing. With AXES a brick has the coordinates
// of its nodes along each axis alone. A brick has EDGE cells along each axis.
//
// A line goes from cell to cell in their own coordinates, and from brick to brick by the links of their slots. Where the
// next brick is not there the line is parked: what is known of it is kept, and the next launch goes on as if nothing had
// been. What cells alone do not say (where a block ends, or cells have no inverse) is the host's: the line is handed
// back as it was before the step. Structures have members of one size each, so that their layout is the same on host and
// device.

#pragma OPENCL FP_CONTRACT OFF
#ifdef WITH_DOUBLE
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
typedef double real;
typedef double3 real3;
#define toReal3 convert_double3
#define LEAST_SPEED 1e-150
#define NEAR 1e-10
#else
typedef float real;
typedef float3 real3;
#define toReal3 convert_float3
#define LEAST_SPEED 1e-30f
#define NEAR 1e-6f
#endif

#define NODE_SIDE (EDGE + 1)
#define NODES (NODE_SIDE * NODE_SIDE * NODE_SIDE)
#define FLAG_SIDE (EDGE + 2)
#define FLAGS (FLAG_SIDE * FLAG_SIDE * FLAG_SIDE)
#define VERTEX (4 + OUTPUTS)

// As in core/flow: cell_steps.cpp, cell_curve.cpp, traced_line.cpp, step_control.h.
#define OVERSHOOT ((real)1.2)
#define MOST_FACES 6
#define MOST_PIECES 16
#define RETRY 2
#define ERROR_FRACTION ((real)1e-3)
#define STAGNATION ((real)1e-9)
#define MOST_ITERATIONS 60

// What a line stands at: as the host has it.
#define GOING 0   // the room for vertices is used up
#define MISSED 1  // the brick of its cell is not there
#define BACK 2    // the host is to take the next step
#define ENDED 16  // and the reason: flow::Termination
#define MAX_TIME 2
#define MAX_LENGTH 3
#define MAX_STEPS 4
#define STAGNATED 5

typedef struct {
  real tolerance, hermiteTolerance, maxTime, maxLength, minSpeed, diagonal, smallestLength;
} Job;

typedef struct {
  real xi[3], vertexXi[3];        // in the cell that it is in, and in that of the last vertex
  real position[3], origin[3];    // of the vertex, counted from the origin
  real velocity[3];
  real elapsed, elapsedLow, length, lengthLow; // sums, and what their rounding left out
  real largestSpeed, wish;
} Motion;

typedef struct {
  int slot, cell[3]; // in the brick; where it is missed, beyond it by one
  int moved[3];      // by how many cells since the last vertex, over faces
  int faces;         // crossed since the last vertex
  int direction, steps, status, emitted, rejected;
} Place;

typedef struct {
  int cells[3], next[6]; // slots behind the faces, -1 where there is none
} Link;

typedef struct {
  real3 one, x, y, z, xy, yz, zx, xyz;
} Trilinear;

typedef struct {
  Trilinear position, velocity;
} Cell;

real dot3(real3 a, real3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
real length3(real3 a) { return sqrt(dot3(a, a)); }
real3 cross3(real3 a, real3 b) {
  return (real3)(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}
bool finite3(real3 a) { return isfinite(a.x) && isfinite(a.y) && isfinite(a.z); }
real along(real3 v, int axis) { return axis == 0 ? v.x : axis == 1 ? v.y : v.z; }
real3 put(real3 v, int axis, real value) {
  if (axis == 0) v.x = value;
  if (axis == 1) v.y = value;
  if (axis == 2) v.z = value;
  return v;
}

// Number of a corner of a cell among the nodes of all slots.
size_t nodeOf(int slot, int3 cell, int corner) {
  const int node = (cell.x + (corner & 1)) +
                   NODE_SIDE * ((cell.y + (corner >> 1 & 1)) + NODE_SIDE * (cell.z + (corner >> 2)));
  return (size_t)slot * NODES + node;
}

real3 positionOf(__global const POSITION* positions, int slot, int3 cell, int corner) {
#ifdef AXES
  __global const POSITION* axes = positions + (size_t)slot * 3 * NODE_SIDE;
  return (real3)(axes[cell.x + (corner & 1)], axes[NODE_SIDE + cell.y + (corner >> 1 & 1)],
                 axes[2 * NODE_SIDE + cell.z + (corner >> 2)]);
#else
  return toReal3(vload3(nodeOf(slot, cell, corner), positions));
#endif
}

real3 velocityOf(__global const VALUE* values, int slot, int3 cell, int corner) {
  return toReal3(vload3(0, values + nodeOf(slot, cell, corner) * OUTPUTS));
}

void interpolate(const real3 p0, const real3 p1, const real3 p2, const real3 p3, const real3 p4, const real3 p5,
                 const real3 p6, const real3 p7, Trilinear* t) {
  t->one = p0;
  t->x = p1 - p0;
  t->y = p2 - p0;
  t->z = p4 - p0;
  t->xy = (p3 - p2) - (p1 - p0);
  t->yz = (p6 - p4) - (p2 - p0);
  t->zx = (p5 - p4) - (p1 - p0);
  t->xyz = ((p7 - p6) - (p5 - p4)) - ((p3 - p2) - (p1 - p0));
}

void loadCell(__global const POSITION* positions, __global const VALUE* values, int slot, int3 at, Cell* cell) {
  interpolate(positionOf(positions, slot, at, 0), positionOf(positions, slot, at, 1),
              positionOf(positions, slot, at, 2), positionOf(positions, slot, at, 3),
              positionOf(positions, slot, at, 4), positionOf(positions, slot, at, 5),
              positionOf(positions, slot, at, 6), positionOf(positions, slot, at, 7), &cell->position);
  interpolate(velocityOf(values, slot, at, 0), velocityOf(values, slot, at, 1), velocityOf(values, slot, at, 2),
              velocityOf(values, slot, at, 3), velocityOf(values, slot, at, 4), velocityOf(values, slot, at, 5),
              velocityOf(values, slot, at, 6), velocityOf(values, slot, at, 7), &cell->velocity);
}

real3 valueAt(const Trilinear* t, real3 xi) {
  const real3 slopeX = t->x + xi.y * t->xy, slopeZ = t->z + xi.y * t->yz, twist = t->zx + xi.y * t->xyz;
  return t->one + (xi.y * t->y + (xi.z * slopeZ + xi.x * (slopeX + xi.z * twist)));
}

void jacobianAt(const Trilinear* t, real3 xi, real3* jx, real3* jy, real3* jz) {
  const real3 slopeX = t->x + xi.y * t->xy, slopeZ = t->z + xi.y * t->yz, twist = t->zx + xi.y * t->xyz;
  *jx = slopeX + xi.z * twist;
  *jy = (t->y + xi.x * t->xy) + xi.z * (t->yz + xi.x * t->xyz);
  *jz = slopeZ + xi.x * twist;
}

// d xi / dt
real3 rateAt(const Cell* cell, real3 xi) {
  real3 jx, jy, jz;
  jacobianAt(&cell->position, xi, &jx, &jy, &jz);
  const real3 u = valueAt(&cell->velocity, xi);
  const real3 yz = cross3(jy, jz), zx = cross3(jz, jx), xy = cross3(jx, jy);
  return (1 / dot3(jx, yz)) * (real3)(dot3(u, yz), dot3(u, zx), dot3(u, xy));
}

int faceAhead(real3 xi, real3 way) {
  for (int a = 0; a < 3; ++a)
    if ((along(way, a) > 0 && along(xi, a) == 1) || (along(way, a) < 0 && along(xi, a) == 0))
      return 2 * a + (along(way, a) > 0 ? 1 : 0);
  return -1;
}

// The cell behind a face.
int3 behind(int3 at, int face) {
  const int step = face % 2 ? 1 : -1;
  return at + step * (int3)(face / 2 == 0, face / 2 == 1, face / 2 == 2);
}

int3 moved(int3 at, int axis, int to) {
  return (int3)(axis == 0 ? to : at.x, axis == 1 ? to : at.y, axis == 2 ? to : at.z);
}

// Whether the cell behind a face is blank, or there is none.
bool isBlocked(__global const uchar* flags, int slot, int3 at, int face) {
  const int3 to = behind(at, face) + 1;
  return flags[(size_t)slot * FLAGS + (to.x + FLAG_SIDE * (to.y + FLAG_SIDE * to.z))] != 0;
}

// The face of its brick beyond which a cell lies; -1 inside.
int faceBeyond(int3 at, __global const Link* link) {
  if (at.x < 0) return 0;
  if (at.x >= link->cells[0]) return 1;
  if (at.y < 0) return 2;
  if (at.y >= link->cells[1]) return 3;
  if (at.z < 0) return 4;
  return at.z >= link->cells[2] ? 5 : -1;
}

real straightTime(real3 xi, real3 rate) {
  real time = INFINITY;
  for (int a = 0; a < 3; ++a)
    if (along(rate, a) != 0)
      time = fmin(time, ((along(rate, a) > 0 ? 1 : 0) - along(xi, a)) / along(rate, a));
  return time;
}

// A curve of fourth degree in s = 0 ... 1.
typedef struct {
  real3 start, linear, square, cube, fourth;
} Curve;

real3 curveAt(const Curve* c, real s) {
  return c->start + s * (c->linear + s * (c->square + s * (c->cube + s * c->fourth)));
}

real measured(real start, real linear, real square, real cube, real fourth, real s) {
  return start + s * (linear + s * (square + s * (cube + s * fourth)));
}

real crossing(real start, real linear, real square, real cube, real fourth, real end, real inside, real outside) {
  const real low = measured(start, linear, square, cube, fourth, inside) - end;
  const real high = measured(start, linear, square, cube, fourth, outside) - end;
  const real sign = high > 0 ? 1 : -1;
  const real straight = low / (low - high);
  real s = inside + (outside - inside) * (straight > 0 && straight < 1 ? straight : (real)0.5);
  for (int n = 0; n < MOST_ITERATIONS; ++n) {
    const real beyond = sign * (measured(start, linear, square, cube, fourth, s) - end);
    if (fabs(beyond) <= NEAR) break;
    if (beyond > 0)
      outside = s;
    else
      inside = s;
    const real slope = linear + s * (2 * square + s * (3 * cube + s * 4 * fourth));
    const real next = s - beyond / (sign * slope);
    s = next > fmin(inside, outside) && next < fmax(inside, outside) ? next : (real)0.5 * (inside + outside);
  }
  return s;
}

// Where the curve goes out of the cell: the face, or -1 where it stays.
int firstExit(const Curve* c, real* exit) {
  int face = -1;
  for (int a = 0; a < 3; ++a) {
    const real start = along(c->start, a), linear = along(c->linear, a), square = along(c->square, a);
    const real cube = along(c->cube, a), fourth = along(c->fourth, a);
    const real lastRate = linear + (2 * square + (3 * cube + 4 * fourth));
    const real last = measured(start, linear, square, cube, fourth, 1);
    const real turn = (linear > 0) != (lastRate > 0) ? linear / (linear - lastRate) : 0;
    const real turned = turn > 0 ? measured(start, linear, square, cube, fourth, turn) : 0;
    for (int up = 0; up < 2; ++up) {
      const real end = up, sign = up ? 1 : -1;
      real s;
      if (turn > 0 && sign * linear > 0 && sign * (turned - end) > 0)
        s = crossing(start, linear, square, cube, fourth, end, 0, turn);
      else if (sign * (last - end) > 0)
        s = crossing(start, linear, square, cube, fourth, end,
                     turn > 0 && sign * (turned - end) < 0 ? turn : 0, 1);
      else
        continue;
      if (face < 0 || s < *exit) {
        *exit = s;
        face = 2 * a + up;
      }
    }
  }
  return face;
}

// One step of size h (signed) from xi, where the rate is k1: the curve, and the error's vector.
void dopriStep(const Cell* cell, real3 xi, real3 k1, real h, Curve* curve, real3* error) {
  const real3 k2 = rateAt(cell, xi + h * ((real)(1.0 / 5) * k1));
  const real3 k3 = rateAt(cell, xi + h * ((real)(3.0 / 40) * k1 + (real)(9.0 / 40) * k2));
  const real3 k4 = rateAt(
      cell, xi + h * ((real)(44.0 / 45) * k1 - (real)(56.0 / 15) * k2 + (real)(32.0 / 9) * k3));
  const real3 k5 = rateAt(cell, xi + h * ((real)(19372.0 / 6561) * k1 - (real)(25360.0 / 2187) * k2 +
                                          (real)(64448.0 / 6561) * k3 - (real)(212.0 / 729) * k4));
  const real3 k6 =
      rateAt(cell, xi + h * ((real)(9017.0 / 3168) * k1 - (real)(355.0 / 33) * k2 + (real)(46732.0 / 5247) * k3 +
                             (real)(49.0 / 176) * k4 - (real)(5103.0 / 18656) * k5));
  const real3 end = xi + h * ((real)(35.0 / 384) * k1 + (real)(500.0 / 1113) * k3 + (real)(125.0 / 192) * k4 -
                              (real)(2187.0 / 6784) * k5 + (real)(11.0 / 84) * k6);
  const real3 k7 = rateAt(cell, end);
  *error = h * ((real)(71.0 / 57600) * k1 - (real)(71.0 / 16695) * k3 + (real)(71.0 / 1920) * k4 -
                (real)(17253.0 / 339200) * k5 + (real)(22.0 / 525) * k6 - (real)(1.0 / 40) * k7);
  const real3 bulge =
      h * ((real)(-12715105075.0 / 11282082432.0) * k1 + (real)(87487479700.0 / 32700410799.0) * k3 -
           (real)(10690763975.0 / 1880347072.0) * k4 + (real)(701980252875.0 / 199316789632.0) * k5 -
           (real)(1453857185.0 / 822651844.0) * k6 + (real)(69997945.0 / 29380423.0) * k7);
  const real3 way = end - xi, first = h * k1, last = h * k7;
  curve->start = xi;
  curve->linear = first;
  curve->square = 3 * way - 2 * first - last + bulge;
  curve->cube = first + last - 2 * way - 2 * bulge;
  curve->fourth = bulge;
}

// Factor for the next attempt after one of this error, which is more than 1.
real afterRejected(real error) {
  const real least = (real)0.2, safety = (real)0.9;
  if (!isfinite(error)) return least;
  return fmax(least, fmin(safety, safety / pow(error, (real)0.17)));
}

// `sum` and what it lacks get `more`. In double precision sums are those of the host.
void add(real* sum, real* low, real more) {
#ifdef WITH_DOUBLE
  *sum += more;
#else
  const real y = more - *low, t = *sum + y;
  *low = (t - *sum) - y;
  *sum = t;
#endif
}

typedef struct {
  real3 position, velocity; // of the last vertex
  real speed, largestSpeed;
  real elapsed, elapsedLow, length, lengthLow;
  real direction;
  int steps;
} Line;

int limitReached(Line* line, __global const Job* job) {
  line->speed = length3(line->velocity);
  line->largestSpeed = fmax(line->largestSpeed, line->speed);
  if (line->length >= job->maxLength) return MAX_LENGTH;
  if (line->elapsed >= job->maxTime) return MAX_TIME;
  if (line->steps <= 0) return MAX_STEPS;
  const real least = fmax(fmax(STAGNATION * line->largestSpeed, job->minSpeed), (real)LEAST_SPEED);
  return line->speed <= least ? STAGNATED : 0;
}

void addVertex(Line* line, __global const Job* job, real3 position, real3 velocity, real h) {
  // The length of the step's Hermite cubic, by Simpson's rule.
  const real3 chord = (line->direction / h) * (position - line->position);
  const real3 middle = (real)1.5 * chord - (real)0.25 * (line->velocity + velocity);
  add(&line->length, &line->lengthLow,
      h / 6 * (line->speed + 4 * length3(middle) + length3(velocity)));
  if (h == job->maxTime - line->elapsed)
    line->elapsed = job->maxTime;
  else
    add(&line->elapsed, &line->elapsedLow, h);
  line->position = position;
  line->velocity = velocity;
  line->steps -= 1;
}

void emit(__global real* to, real3 position, real h, real3 velocity, real3 xi,
          __global const VALUE* values, int slot, int3 cell) {
  vstore3(position, 0, to);
  to[3] = h;
  vstore3(velocity, 0, to + 4);
#if OUTPUTS > 3
  for (int n = 3; n < OUTPUTS; ++n) {
    real sum = 0;
    for (int corner = 0; corner < 8; ++corner) {
      const real x = corner & 1 ? xi.x : 1 - xi.x, y = corner & 2 ? xi.y : 1 - xi.y,
                 z = corner & 4 ? xi.z : 1 - xi.z;
      sum += x * (y * z) * values[nodeOf(slot, cell, corner) * OUTPUTS + n];
    }
    to[4 + n] = sum;
  }
#endif
}

__kernel void traceLines(__global const Job* job, __global Motion* motions, __global Place* places,
                         __global const real* origins, __global const Link* links,
                         __global const POSITION* positions, __global const VALUE* values,
                         __global const uchar* flags, __global real* vertices, const int lanes, const int most) {
  const int n = (int)get_global_id(0);
  if (n >= lanes) return;
  __global Motion* const motion = motions + n;
  __global Place* const place = places + n;
  int slot = place->slot, faces = place->faces, emitted = 0, rejected = 0, status = GOING;
  int3 at = (int3)(place->cell[0], place->cell[1], place->cell[2]);
  int3 shift = (int3)(place->moved[0], place->moved[1], place->moved[2]);
  real3 xi = vload3(0, motion->xi), vertexXi = vload3(0, motion->vertexXi);
  real3 origin = vload3((size_t)slot, origins);
  real wish = motion->wish;
  Line line;
  line.position = vload3(0, motion->position) + (vload3(0, motion->origin) - origin);
  line.velocity = vload3(0, motion->velocity);
  line.speed = 0;
  line.largestSpeed = motion->largestSpeed;
  line.elapsed = motion->elapsed;
  line.elapsedLow = motion->elapsedLow;
  line.length = motion->length;
  line.lengthLow = motion->lengthLow;
  line.direction = (real)place->direction;
  line.steps = place->steps;
  // The n-th vertices of all lines lie together, so that as many are read as the line with most has made.
  __global real* to = vertices + (size_t)n * VERTEX;
  const size_t next = (size_t)lanes * VERTEX;
  Cell cell;

  while (true) {
    const int reason = limitReached(&line, job);
    if (reason != 0) {
      status = ENDED + reason;
      break;
    }
    if (emitted + MOST_PIECES > most) break;

    // The cell into which the line goes. Where it is on a face through which it leaves, it is the same point of the cell
    // behind.
    real3 rate = 0;
    bool enters = false;
    while (true) {
      const int beyond = faceBeyond(at, links + slot);
      if (beyond >= 0) {
        const int there = links[slot].next[beyond];
        if (there < 0) {
          status = MISSED;
          break;
        }
        slot = there;
        at = moved(at, beyond / 2, beyond % 2 ? 0 : links[slot].cells[beyond / 2] - 1);
        const real3 other = vload3((size_t)slot, origins);
        line.position += origin - other;
        origin = other;
      }
      loadCell(positions, values, slot, at, &cell);
      xi = clamp(xi, (real)0, (real)1);
      rate = rateAt(&cell, xi);
      if (!finite3(rate)) break;
      const int face = faceAhead(xi, line.direction * rate);
      enters = face < 0;
      if (enters || faces >= MOST_FACES || isBlocked(flags, slot, at, face)) break;
      shift += behind(at, face) - at;
      at = behind(at, face);
      xi = put(xi, face / 2, face % 2 ? 0 : 1);
      ++faces;
    }
    if (status == MISSED) break;
    if (!enters) {
      status = BACK;
      break;
    }

    // The largest step that is within the tolerance, at most a little out of the cell.
    const real before = wish;
    const int rejectedBefore = rejected;
    const real rest = job->maxTime - line.elapsed, pace = line.speed;
    real h = fmin(fmin(OVERSHOOT * straightTime(xi, line.direction * rate), wish), job->diagonal / pace);
    if (rest < (real)1.001 * h) h = rest;
    wish = INFINITY;
    Curve curve;
    bool found = false;
    while (h * pace > job->smallestLength) {
      real3 errorVector, jx, jy, jz;
      dopriStep(&cell, xi, rate, line.direction * h, &curve, &errorVector);
      jacobianAt(&cell.position, xi, &jx, &jy, &jz);
      const real away = length3(errorVector.x * jx + errorVector.y * jy + errorVector.z * jz);
      const real error = fmax(away / job->tolerance, away / (ERROR_FRACTION * h * pace));
      found = isfinite(away) && error <= 1;
      if (found) break;
      h *= afterRejected(isfinite(away) ? error : (real)INFINITY);
      // The next cell is likely to need steps as small as this one.
      wish = RETRY * h;
      ++rejected;
    }
    real s = 1;
    int out = -1;
    if (found) out = firstExit(&curve, &s);
    if (out < 0) s = 1;
    const real whole = s * h;
    const bool ends = out >= 0 && isBlocked(flags, slot, at, out); // with its block, or at a blank cell
    if (!found || ends || !(whole * pace > job->smallestLength)) {
      wish = before;
      rejected = rejectedBefore;
      status = BACK;
      break;
    }

    // Into how many pieces the step has to be divided for their Hermite cubics to be close to its curve.
    real3 endXi = clamp(curveAt(&curve, s), (real)0, (real)1);
    if (out >= 0) endXi = put(endXi, out / 2, out % 2);
    const real3 endPosition = valueAt(&cell.position, endXi), endVelocity = valueAt(&cell.velocity, endXi);
    if (!finite3(endVelocity)) {
      wish = before;
      rejected = rejectedBefore;
      status = BACK;
      break;
    }
    const real3 cubic = (real)0.5 * (line.position + endPosition) +
                        ((real)0.125 * line.direction * s * h) * (line.velocity - endVelocity);
    const real gap = length3(valueAt(&cell.position, curveAt(&curve, (real)0.5 * s)) - cubic);
    int pieces = 1;
    if (gap > job->hermiteTolerance)
      pieces = (int)fmin(ceil(pow(gap / job->hermiteTolerance, (real)0.25)), (real)MOST_PIECES);
    bool over = false;
    for (int piece = 1; piece < pieces && !over; ++piece) {
      xi = clamp(curveAt(&curve, s * piece / pieces), (real)0, (real)1);
      const real3 position = valueAt(&cell.position, xi), velocity = valueAt(&cell.velocity, xi);
      addVertex(&line, job, position, velocity, whole / pieces);
      emit(to, position + origin, whole / pieces, velocity, xi, values, slot, at);
      to += next;
      ++emitted;
      const int reached = limitReached(&line, job);
      if (reached != 0) {
        status = ENDED + reached;
        over = true;
      }
    }
    faces = 0;
    if (over) break;
    const bool toTheLimit = out < 0 && h == rest;
    const real last = toTheLimit ? job->maxTime - line.elapsed : whole / pieces;
    addVertex(&line, job, endPosition, endVelocity, last);
    emit(to, endPosition + origin, last, endVelocity, endXi, values, slot, at);
    to += next;
    ++emitted;
    xi = endXi;
    if (out >= 0) {
      at = behind(at, out);
      xi = put(xi, out / 2, out % 2 ? 0 : 1);
    }
    shift = 0;
    vertexXi = xi;
  }

  vstore3(xi, 0, motion->xi);
  vstore3(vertexXi, 0, motion->vertexXi);
  vstore3(line.position, 0, motion->position);
  vstore3(origin, 0, motion->origin);
  vstore3(line.velocity, 0, motion->velocity);
  motion->elapsed = line.elapsed;
  motion->elapsedLow = line.elapsedLow;
  motion->length = line.length;
  motion->lengthLow = line.lengthLow;
  motion->largestSpeed = line.largestSpeed;
  motion->wish = wish;
  place->slot = slot;
  place->cell[0] = at.x;
  place->cell[1] = at.y;
  place->cell[2] = at.z;
  place->moved[0] = shift.x;
  place->moved[1] = shift.y;
  place->moved[2] = shift.z;
  place->faces = faces;
  place->steps = line.steps;
  place->status = status;
  place->emitted = emitted;
  place->rejected = rejected;
}

// Puts the vertices of a line one behind the other, from number `firsts[line]`, so that no more is read than was made.
// A work item is a vertex: its line, and its place in it.
__kernel void packVertices(__global const real* vertices, __global const Place* places, __global const uint* firsts,
                           const int lanes, __global real* packed) {
  const int lane = get_global_id(0), n = get_global_id(1);
  if (lane >= lanes || n >= places[lane].emitted) return;
  __global const real* from = vertices + ((size_t)n * lanes + lane) * VERTEX;
  __global real* to = packed + ((size_t)firsts[lane] + n) * VERTEX;
  for (int k = 0; k < VERTEX; ++k) to[k] = from[k];
}
