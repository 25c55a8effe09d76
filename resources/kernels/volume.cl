// Rays through the bricks of a volume, one work item a ray: the march of render/volume/ray_march.cpp for devices.
// Compiled with VALUE_TYPE 0 (u8), 1 (u16) or 2 (f32); WITH_IMAGE where bricks lie in an image and not in a buffer, and
// WITH_FILTER where the device's own filter between its values is exact enough to be used; WITH_DOUBLE where the device computes in double precision.
//
// A ray goes from brick to brick. Where the page table has no place for one it is asked for, and the ray either sees
// the coarser level's meanwhile or is parked: its state and how far it came are kept, and the next launch goes on
// there. Structures have members of one size each, so that their layout is the same on host and device.

#pragma OPENCL FP_CONTRACT OFF
#ifdef WITH_DOUBLE
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
typedef double real;
#define HUGE_REAL 1e300
#else
typedef float real;
#define HUGE_REAL 1e30f
#endif

#define BRICK_CELLS 32
#define SIDE 35
#define GROUP_CELLS 8
#define AXIS_ENTRIES 36
#define MOST_SAMPLES 4194304
#define OPAQUE 0.998f

// In the page table; anything else is a slot.
#define MISSING -1
#define NOTHING -2

#define COMPOSITE 0
#define MAXIMUM 1
#define AVERAGE 2
#define ISOSURFACE 3

// Marks of a brick.
#define ASKED 1
#define ASKED_AHEAD 2
#define TOUCHED 4

typedef struct {
  real eye[3], right[3], up[3], back[3];
  real pixel;           // half of a pixel's edge; at distance 1 where it is a perspective
  real low[3], high[3]; // what is to be seen of the volume
  real stepLength;
  real origin[3], spacing[3]; // of the coordinates of rays; 0 and 1 where they are the data's own
  real coarseScale[3], coarseOffset[3]; // from them to those of the coarser level
} View;

typedef struct {
  int bricks[3], cells[3];
  int planesAt[3]; // in `planes`: coordinates of the bricks' planes
  int nodesAt[3];  // in `axisNodes`: of each brick AXIS_ENTRIES places and rates
  int pagesAt;
  float gradient[3];
} Level;

typedef struct {
  int width, height, firstRow, rows, orthographic;
  int mode, linear, lit, rectilinear;
  int clips, hasFrom, hasTo, lastEntry;
  int hasCoarse, missLimit, ahead, slotsX, slotsY;
  int tableShift, tableLowest, tableHighest, hasCells;
  float tableLow, tableScale, isoRaw, flat;
  uint isoColor;
  float key[3], fill[3], half_[3];
  Level level[2];
} Job;

#if VALUE_TYPE == 0
typedef uchar Value;
#define RAW_SCALE 255.0f
#elif VALUE_TYPE == 1
typedef ushort Value;
#define RAW_SCALE 65535.0f
#else
typedef float Value;
#define RAW_SCALE 1.0f
#endif

#ifdef WITH_IMAGE
#define VALUES read_only image3d_t values
constant sampler_t kLinear = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_LINEAR;
constant sampler_t kNearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
#else
#define VALUES __global const Value* values
#endif

// The part of a ray's way that lies in one brick.
typedef struct {
  float base[3], step[3], inverse[3];
  float gradient[3];
  int cells[3];
  int nodesAt[3];
  int corner[3]; // of its slot in the image
  ulong first;   // of its slot in the buffer
  uint2 seen;
} Brick;

#if defined(WITH_IMAGE) && defined(WITH_FILTER)
float valueAt(const Brick* b, VALUES, const float q[3], int beyond) {
  // Less than the last node by what no filter tells apart: the value behind it is another brick's.
  const float x = fmin(q[0], (float)(b->cells[0] + beyond) + 0.9995f);
  const float y = fmin(q[1], (float)(b->cells[1] + beyond) + 0.9995f);
  const float z = fmin(q[2], (float)(b->cells[2] + beyond) + 0.9995f);
  const float4 at = (float4)((float)b->corner[0] + x + 0.5f, (float)b->corner[1] + y + 0.5f,
                             (float)b->corner[2] + z + 0.5f, 0.0f);
  return read_imagef(values, kLinear, at).x * RAW_SCALE;
}
#else
float valueAt(const Brick* b, VALUES, const float q[3], int beyond) {
  const int ix = min((int)q[0], b->cells[0] + beyond), iy = min((int)q[1], b->cells[1] + beyond),
            iz = min((int)q[2], b->cells[2] + beyond);
  const float fx = q[0] - (float)ix, fy = q[1] - (float)iy, fz = q[2] - (float)iz;
#ifdef WITH_IMAGE
  const int4 at = (int4)(b->corner[0] + ix, b->corner[1] + iy, b->corner[2] + iz, 0);
#define NODE(i, j, k) (read_imagef(values, kNearest, at + (int4)(i, j, k, 0)).x * RAW_SCALE)
#else
  __global const Value* v = values + b->first + (ulong)(ix + SIDE * (iy + SIDE * iz));
#define NODE(i, j, k) ((float)v[(i) + SIDE * ((j) + SIDE * (k))])
#endif
  float l = NODE(0, 0, 0), h = NODE(1, 0, 0);
  const float c00 = l + fx * (h - l);
  l = NODE(0, 1, 0);
  h = NODE(1, 1, 0);
  const float c10 = l + fx * (h - l);
  l = NODE(0, 0, 1);
  h = NODE(1, 0, 1);
  const float c01 = l + fx * (h - l);
  l = NODE(0, 1, 1);
  h = NODE(1, 1, 1);
  const float c11 = l + fx * (h - l);
  const float low = c00 + fy * (c10 - c00), high = c01 + fy * (c11 - c01);
  return low + fz * (high - low);
}
#endif

float nearestTo(const Brick* b, VALUES, const float q[3]) {
  const int ix = (int)(q[0] + 0.5f), iy = (int)(q[1] + 0.5f), iz = (int)(q[2] + 0.5f);
#ifdef WITH_IMAGE
  return read_imagef(values, kNearest, (int4)(b->corner[0] + ix, b->corner[1] + iy, b->corner[2] + iz, 0)).x *
         RAW_SCALE;
#else
  return (float)values[b->first + (ulong)(ix + SIDE * (iy + SIDE * iz))];
#endif
}

// Coordinate x of an axis as a place among the brick's nodes, 1 at its first.
float placeOf(const Brick* b, int axis, int rectilinear, __global const float2* axisNodes, float x) {
  if (!rectilinear) return fmin(fmax(x, 0.0f), (float)b->cells[axis]) + 1.0f;
  __global const float2* nodes = axisNodes + b->nodesAt[axis];
  const int last = b->cells[axis];
  x = fmin(fmax(x, nodes[1].x), nodes[last + 1].x);
  int at = 1;
  for (int stride = BRICK_CELLS; stride > 0; stride /= 2) {
    const int next = min(at + stride, last);
    if (x >= nodes[next].x) at = next;
  }
  return (float)at + (x - nodes[at].x) * nodes[at].y;
}

float axisDifference(const Brick* b, VALUES, int rectilinear, __global const float2* axisNodes, const float q[3],
                     int axis) {
  float low[3] = {q[0], q[1], q[2]}, high[3] = {q[0], q[1], q[2]};
  low[axis] -= 1.0f;
  high[axis] += 1.0f;
  float change = valueAt(b, values, high, 1) - valueAt(b, values, low, 1);
  if (rectilinear) change *= axisNodes[b->nodesAt[axis] + min((int)q[axis], b->cells[axis])].y;
  return change * b->gradient[axis];
}

float towards(const float g[3], __constant const float* direction, float scale) {
  return fabs((g[0] * direction[0] + g[1] * direction[1] + g[2] * direction[2]) * scale);
}

// The part of the light that a place returns: x diffuse, 1 at most, y shine.
float2 lightAt(const Brick* b, VALUES, __constant Job* job, __global const float2* axisNodes, const float q[3]) {
  float g[3];
  for (int a = 0; a < 3; ++a) g[a] = axisDifference(b, values, job->rectilinear, axisNodes, q, a);
  const float size = sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
  if (!(size > 0.0f && size < 1e30f)) return (float2)(1.0f, 0.0f);
  const float scale = 1.0f / size;
  const float key = towards(g, job->key, scale), fill = towards(g, job->fill, scale);
  float gloss = fmin(towards(g, job->half_, scale), 1.0f);
  for (int n = 0; n < 5; ++n) gloss *= gloss;
  const float sure = size / (size + job->flat);
  const float lit = fmin(0.36f + (0.62f * key + 0.12f * fill), 1.0f);
  return (float2)(1.0f + sure * (lit - 1.0f), 0.22f * gloss * sure);
}

// The hue stays: no channel is cut off, as light multiplies by 1 at most, and the shine mixes with white.
float3 shaded(float3 color, float2 light) {
  const float3 reflected = color * light.x;
  return reflected + light.y * (1.0f - reflected);
}

float3 unpacked(uint c) {
  return (float3)((float)(c >> 20 & 1023), (float)(c >> 10 & 1023), (float)(c & 1023)) * (1.0f / 1023);
}

// Whether the group of a place shows anything, and which it is.
int seenAt(const Brick* b, const float q[3], int group[3]) {
  for (int a = 0; a < 3; ++a) group[a] = min((int)q[a] - 1, b->cells[a] - 1) >> 3;
  const int number = group[0] + 4 * group[1] + 16 * group[2];
  return (number > 31 ? b->seen.y : b->seen.x) >> (number & 31) & 1;
}

// Where the ray leaves its group.
float groupEnd(const Brick* b, int rectilinear, __global const float2* axisNodes, const int group[3]) {
  float end = 3e30f;
  for (int a = 0; a < 3; ++a) {
    const int node = GROUP_CELLS * group[a] + (b->step[a] >= 0.0f ? GROUP_CELLS : 0);
    const float plane =
        rectilinear ? axisNodes[b->nodesAt[a] + min(node, b->cells[a]) + 1].x : (float)node;
    end = fmin(end, (plane - b->base[a]) * b->inverse[a]);
  }
  return end;
}

typedef struct {
  real start[3], step[3], inverse[3];
  real first, end; // samples first … end - 1 are taken, whole numbers
  float firstWeight, lastWeight;
} Ray;

// Where the ray of a pixel enters and leaves what is to be seen; the same as render/volume/tile_aim.cpp.
bool aim(Ray* ray, __constant View* view, __constant Job* job, __global const real* clips, __global const float* from,
         __global const float* to, int x, int row) {
  const int y = job->firstRow + row;
  real origin[3], direction[3], length = 0;
  for (int a = 0; a < 3; ++a) {
    const real across = (real)(2 * x + 1 - job->width) * view->pixel * view->right[a] -
                        (real)(2 * y + 1 - job->height) * view->pixel * view->up[a];
    origin[a] = job->orthographic ? view->eye[a] + across : view->eye[a];
    direction[a] = job->orthographic ? -view->back[a] : across - view->back[a];
    length += direction[a] * direction[a];
  }
  length = sqrt(length);
  real enter = 0, leave = HUGE_REAL, rates[3];
  for (int a = 0; a < 3; ++a) {
    if (!job->orthographic) direction[a] *= 1 / length;
    rates[a] = 0;
    if (direction[a] == 0) {
      if (!(origin[a] >= view->low[a] && origin[a] <= view->high[a])) leave = -1;
      continue;
    }
    rates[a] = 1 / direction[a];
    const real p = (view->low[a] - origin[a]) * rates[a], q = (view->high[a] - origin[a]) * rates[a];
    enter = fmax(enter, fmin(p, q));
    leave = fmin(leave, fmax(p, q));
  }
  for (int n = 0; n < job->clips; ++n) {
    __global const real* plane = clips + 6 * n; // origin, normal
    real rate = 0, distance = 0;
    for (int a = 0; a < 3; ++a) {
      rate += direction[a] * plane[3 + a];
      distance += (plane[a] - origin[a]) * plane[3 + a];
    }
    if (rate > 0)
      enter = fmax(enter, distance / rate);
    else if (rate < 0)
      leave = fmin(leave, distance / rate);
    else if (distance > 0)
      leave = -1;
  }
  const int pixel = row * job->width + x;
  const real begin = job->hasFrom ? (real)from[pixel] : (real)0;
  const real stop = job->hasTo ? fmin((real)to[pixel], (real)HUGE_REAL) : (real)HUGE_REAL;
  const real rate = 1 / view->stepLength;
  const real low = fmax((begin - enter) * rate, (real)0);
  const real high = fmin((fmin(leave, stop) - enter) * rate, (real)(MOST_SAMPLES - 1));
  if (!(high > low && leave > enter)) return false;
  const real first = floor(low), last = ceil(high);
  ray->first = first;
  ray->end = last;
  ray->firstWeight = (float)(first + 1 - low);
  ray->lastWeight = (float)(high - (last - 1));
  if (first + 1 == last) ray->firstWeight = ray->lastWeight = (float)(high - low);
  const real toFirst = enter + (real)0.5 * view->stepLength;
  for (int a = 0; a < 3; ++a) {
    const real scale = 1 / view->spacing[a];
    ray->start[a] = (origin[a] + toFirst * direction[a] - view->origin[a]) * scale;
    ray->step[a] = direction[a] * view->stepLength * scale;
    ray->inverse[a] = direction[a] != 0 ? rates[a] * (view->spacing[a] * rate) : (real)HUGE_REAL;
  }
  return true;
}

// Which brick of an axis a coordinate is in.
int brickAt(__constant Level* level, int axis, int rectilinear, __global const real* planes, real x) {
  const int most = level->bricks[axis] - 1;
  int at = 0;
  if (!rectilinear) {
    x = fmin(fmax(x, (real)0), (real)level->cells[axis]);
    return min((int)(x * ((real)1 / BRICK_CELLS)), most);
  }
  while (at < most && x >= planes[level->planesAt[axis] + at + 1]) ++at;
  return at;
}

// Where a ray leaves the brick `at`, and across which axis; -1 where it leaves the volume.
real exitOf(__constant Level* level, __global const real* planes, const int at[3], const real start[3],
            const real inverse[3], int* axis) {
  real exit = HUGE_REAL;
  *axis = -1;
  for (int a = 0; a < 3; ++a) {
    const int plane = at[a] + (inverse[a] >= 0 ? 1 : 0);
    if (plane <= 0 || plane >= level->bricks[a]) continue;
    const real e = (planes[level->planesAt[a] + plane] - start[a]) * inverse[a];
    if (e < exit) {
      exit = e;
      *axis = a;
    }
  }
  return exit;
}

int numberOf(__constant Level* level, const int at[3]) {
  return level->pagesAt + at[0] + level->bricks[0] * (at[1] + level->bricks[1] * at[2]);
}

// Lists a brick among those that are missed, once.
void ask(__global int* marks, __global int* misses, int limit, int number, int mark) {
  if (marks[number] & mark) return;
  if (atomic_or(&marks[number], mark) & mark) return;
  const int kind = mark == ASKED ? 0 : 1;
  const int n = atomic_inc(&misses[kind]);
  if (n < limit)
    misses[2 + kind * limit + n] = number;
  else
    atomic_and(&marks[number], ~mark); // the list is full: it is asked for again
}

void enter(Brick* b, __constant Job* job, __constant Level* level, __global const real* planes, const int at[3], int slot,
           __global const uint2* seen, const real start[3], const real step[3], const real inverse[3], real from) {
  for (int a = 0; a < 3; ++a) {
    b->cells[a] = min(BRICK_CELLS, level->cells[a] - BRICK_CELLS * at[a]);
    b->base[a] = (float)(start[a] + from * step[a] - planes[level->planesAt[a] + at[a]]);
    b->step[a] = (float)step[a];
    b->inverse[a] = (float)fmin(fmax(inverse[a], (real)-1e30f), (real)1e30f);
    b->gradient[a] = level->gradient[a];
    b->nodesAt[a] = level->nodesAt[a] + AXIS_ENTRIES * at[a];
  }
  b->corner[0] = SIDE * (slot % job->slotsX);
  b->corner[1] = SIDE * (slot / job->slotsX % job->slotsY);
  b->corner[2] = SIDE * (slot / (job->slotsX * job->slotsY));
  b->first = (ulong)slot * (SIDE * SIDE * SIDE);
  b->seen = seen[slot];
}

void placesAt(const Brick* b, int rectilinear, __global const float2* axisNodes, float j, float q[3]) {
  for (int a = 0; a < 3; ++a) q[a] = placeOf(b, a, rectilinear, axisNodes, b->base[a] + j * b->step[a]);
}

// Samples 0 … count - 1 of the ray's way through a brick; `first` and `last` are those that stand for a part of a step.
uint marchSamples(const Brick* b, VALUES, __constant Job* job, __global const float2* axisNodes,
                  __global const float* alphas, __global const uint* colors, __global const uint* cells, float4* state, float count, float first,
                  float last, float firstWeight, float lastWeight) {
  uint samples = 0;
  const int rectilinear = job->rectilinear;
  const int leaps = (b->seen.x & b->seen.y) != 0xFFFFFFFFu;
  float j = 0.0f;
  while (j < count) {
    float q[3];
    placesAt(b, rectilinear, axisNodes, j, q);
    const float here = j;
    j += 1.0f;
    if (leaps) {
      int group[3];
      if (!seenAt(b, q, group)) {
        j = fmax(j, ceil(groupEnd(b, rectilinear, axisNodes, group)));
        continue;
      }
    }
    ++samples;
    const float value = job->linear ? valueAt(b, values, q, 0) : nearestTo(b, values, q);
    if (value != value) continue;
    if (job->mode == MAXIMUM) {
      state->x = fmax(state->x, value);
      continue;
    }
    if (job->mode == AVERAGE) {
      state->x += value;
      state->w += 1.0f;
      continue;
    }
    const float place = (value - job->tableLow) * job->tableScale;
    int entry;
    if (job->tableShift > 0) {
      const int way = clamp(as_int(place), job->tableLowest, job->tableHighest) - job->tableLowest;
      entry = way >> job->tableShift;
      if (job->hasCells) {
        const uint cell = cells[entry];
        entry = (int)(cell >> 5) + ((way & ((1 << job->tableShift) - 1)) >> (cell & 31));
      }
    } else {
      entry = min((int)fmin(fmax(place + 0.5f, 0.0f), (float)job->lastEntry), job->lastEntry);
    }
    float alpha = alphas[entry];
    if (!(alpha > 0.0f)) continue;
    if (here == last || here == first) {
      const float weight = here == last ? lastWeight : firstWeight;
      alpha = weight * alpha * (1.0f + 0.5f * (1.0f - weight) * alpha);
    }
    float3 color = unpacked(colors[entry]);
    if (job->lit) {
      const float2 light = lightAt(b, values, job, axisNodes, q);
      color = shaded(color, light);
    }
    const float weight = (1.0f - state->w) * alpha;
    state->xyz += weight * color;
    state->w += weight;
    if (state->w >= OPAQUE) break;
  }
  return samples;
}

// The first place from `j` to `end` that has the value of the surface; values are looked at where the ray enters and
// leaves, too, so that each surface belongs to a brick.
uint marchSurface(const Brick* b, VALUES, __constant Job* job, __global const float2* axisNodes, float4* state, float j,
                  float end) {
  uint samples = 0;
  const int rectilinear = job->rectilinear;
  const int leaps = (b->seen.x & b->seen.y) != 0xFFFFFFFFu;
  float before = 0.0f, jBefore = j;
  bool had = false, active = j < end;
  while (active) {
    float q[3];
    placesAt(b, rectilinear, axisNodes, j, q);
    ++samples;
    const float value = (job->linear ? valueAt(b, values, q, 0) : nearestTo(b, values, q)) - job->isoRaw;
    const bool number = value == value;
    if (had && number && (value >= 0.0f) != (before >= 0.0f)) {
      const float hit = jBefore + before / (before - value) * (j - jBefore);
      placesAt(b, rectilinear, axisNodes, hit, q);
      const float2 light = lightAt(b, values, job, axisNodes, q);
      const float3 color = shaded(unpacked(job->isoColor), light);
      *state = (float4)(color, 1.0f);
      break;
    }
    had = number;
    before = value;
    jBefore = j;
    float next = floor(j) + 1.0f;
    if (leaps) {
      int group[3];
      if (!seenAt(b, q, group))
        next = fmax(groupEnd(b, rectilinear, axisNodes, group), j + 0.125f);
    }
    active = j < end;
    j = fmin(next, end);
  }
  return samples;
}

__kernel void castRays(__constant View* view, __constant Job* job, __global const real* clips,
                       __global const float* from, __global const float* to, __global const real* planes,
                       __global const float2* axisNodes, __global const int* pages, __global const uint2* seen, VALUES,
                       __global const float* alphas, __global const uint* colors, __global const uint* cells, __global float4* states,
                       __global real* reached, __global int* marks, __global int* used, __global int* misses,
                       __global uint* counts) {
  const int x = get_global_id(0), row = get_global_id(1);
  if (x >= job->width || row >= job->rows) return;
  const int pixel = row * job->width + x;
  real t = reached[pixel];
  if (t >= HUGE_REAL) return;
  Ray ray;
  if (!aim(&ray, view, job, clips, from, to, x, row)) {
    reached[pixel] = HUGE_REAL;
    return;
  }
  float4 state = states[pixel];
  const bool surface = job->mode == ISOSURFACE;
  const real begin = surface ? ray.first + (real)0.5 - (real)ray.firstWeight : ray.first;
  const real stop = surface ? ray.end - (real)1.5 + (real)ray.lastWeight : ray.end;
  if (t < begin) t = begin;
  __constant Level* level = &job->level[0];
  const int rectilinear = job->rectilinear;
  int at[3];
  for (int a = 0; a < 3; ++a) at[a] = brickAt(level, a, rectilinear, planes, ray.start[a] + t * ray.step[a]);
  bool parked = false;
  uint samples = 0;
  while (t < stop) {
    int axis;
    const real exit = exitOf(level, planes, at, ray.start, ray.inverse, &axis);
    real until;
    if (surface)
      until = fmin(exit, stop);
    else
      until = exit >= ray.end - (real)0.5 ? ray.end : ceil(exit);
    if (until > t) {
      const int number = numberOf(level, at);
      const int page = pages[number];
      if ((page >= 0 || (page == MISSING && job->hasCoarse)) && !(marks[number] & TOUCHED))
        atomic_or(&marks[number], TOUCHED);
      Brick brick;
      // Samples lie at whole numbers; so do those that look for a surface, but where it enters and leaves a brick.
      const real whole = floor(t);
      if (page >= 0) {
        used[page] = 1;
        enter(&brick, job, level, planes, at, page, seen, ray.start, ray.step, ray.inverse, whole);
      } else if (page == MISSING && job->hasCoarse) {
        ask(marks, misses, job->missLimit, number, ASKED_AHEAD);
        __constant Level* coarse = &job->level[1];
        real start[3], step[3], inverse[3];
        int place[3], ignored;
        const real within = surface ? t + fmin((real)0.01, (real)0.5 * (until - t)) : t;
        for (int a = 0; a < 3; ++a) {
          start[a] = ray.start[a] * view->coarseScale[a] + view->coarseOffset[a];
          step[a] = ray.step[a] * view->coarseScale[a];
          inverse[a] = ray.inverse[a] / view->coarseScale[a];
          place[a] = brickAt(coarse, a, rectilinear, planes, start[a] + within * step[a]);
        }
        const real out = exitOf(coarse, planes, place, start, inverse, &ignored);
        until = fmin(until, surface ? fmax(out, t + (real)0.05) : fmax(ceil(out), t + 1));
        const int stand = numberOf(coarse, place);
        const int instead = pages[stand];
        if (instead == MISSING) {
          ask(marks, misses, job->missLimit, stand, ASKED);
          parked = true;
          break;
        }
        if (instead == NOTHING) {
          t = until;
          continue;
        }
        used[instead] = 1;
        enter(&brick, job, coarse, planes, place, instead, seen, start, step, inverse, whole);
      } else if (page == MISSING) {
        ask(marks, misses, job->missLimit, number, ASKED);
        parked = true;
        // What comes next is likely to be missed next.
        for (int n = 0; n < job->ahead && axis >= 0; ++n) {
          at[axis] += ray.inverse[axis] >= 0 ? 1 : -1;
          if (exitOf(level, planes, at, ray.start, ray.inverse, &axis) >= stop) axis = -1;
          const int next = numberOf(level, at);
          if (pages[next] == MISSING) ask(marks, misses, job->missLimit, next, ASKED_AHEAD);
        }
        break;
      }
      if (page != NOTHING) {
        if (surface)
          samples += marchSurface(&brick, values, job, axisNodes, &state, (float)(t - whole), (float)(until - whole));
        else
          samples += marchSamples(&brick, values, job, axisNodes, alphas, colors, cells, &state, (float)(until - t),
                                  (float)(ray.first - t), (float)(ray.end - 1 - t), ray.firstWeight, ray.lastWeight);
        if ((surface && state.w > 0.0f) || (job->mode == COMPOSITE && state.w >= OPAQUE)) {
          t = stop;
          break;
        }
      }
      t = until;
      if (page == MISSING) continue; // the coarser brick may have ended before this one
    }
    if (axis < 0) break;
    at[axis] += ray.inverse[axis] >= 0 ? 1 : -1;
  }
  states[pixel] = state;
  reached[pixel] = parked ? t : (real)HUGE_REAL;
  if (samples > 0) atomic_add(&counts[(x + 31 * row) & 63], samples);
}

// Enters what was read or had to go (number, slot) into the page table; what was asked for may be asked for again.
__kernel void setPages(__global const int2* changes, int count, __global int* pages, __global int* marks) {
  const int n = get_global_id(0);
  if (n >= count) return;
  pages[changes[n].x] = changes[n].y;
  marks[changes[n].x] &= TOUCHED;
}

#ifdef WITH_IMAGE
// What the device's filter makes of places between the first two values of a row: how exact it is.
__kernel void filterBetween(VALUES, int count, __global float* out) {
  const int n = get_global_id(0);
  if (n < count) out[n] = read_imagef(values, kLinear, (float4)(0.5f + (float)n / (float)count, 0.5f, 0.5f, 0.0f)).x;
}
#endif

// Reads all of a buffer: the bandwidth that others are compared with.
// Work items read side by side, or, with `apart`, each a part of its own, as caches of processors like it.
__kernel void readAll(__global const uint4* from, uint count, int apart, __global uint4* sums) {
  const uint item = get_global_id(0), items = get_global_size(0);
  const uint each = count / items;
  uint4 sum = (uint4)(0);
  for (uint n = 0; n < each; ++n) sum ^= from[apart ? item * each + n : n * items + item];
  sums[item] = sum;
}
