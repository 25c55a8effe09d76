#version 330 core
// A segment of a polyline becomes a ribbon of constant width on the screen. It shares its ends with the
// ribbons before and after it (mitred), so that there is neither gap nor overlap; at ends and at sharp
// turns it gets a round cap instead. A neighbour at the same place as the end means that there is none.

layout(lines_adjacency) in;
layout(triangle_strip, max_vertices = 8) out;

in vec3 linePosition[];
in vec2 lineScalar[];
in float linePhase[];
in vec3 lineNormal[];

uniform mat4 projectionMatrix;
uniform vec2 viewportPixels;
uniform float lineWidth;  // pixels
uniform bool orthographic;
uniform float drawnPerPixel = 1.0;  // pixels drawn for each that is shown, in one direction
uniform bool inTriangles;           // the line lies in those of its surface

// Of a surface that is seen aslant the part beside a line is nearer than its middle: by the slant times half of a line's
// width. By so many pixels more thin lines are raised, so that one of 1.5 pixels is whole where that is up to 75 degrees.
const float kAslant = 2.0;
// Pixels by which lines are raised out of surfaces that are not aslant, for what normals are not quite those of the triangles; and,
// where these are less, some steps of depths of 24 bits.
const float kRounded = 0.25;
const float kSteps = 5e-7;
// How far from a line's middle it reaches at turns and caps, in halves of its width.
const float kReach = 1.5;

out vec3 viewPosition;
out vec3 tangent;
out vec2 scalar;
out float phase;
out float across;  // -1 ... 1
out float cap;     // 0 on the ribbon, 1 at the far side of a cap
#ifdef DEEP
out float nearer;  // see peel.glsl
#endif

vec2 screen(vec4 clip) { return 0.5 * viewportPixels * clip.xy / clip.w; }

// `from`; or, where it lies before the near plane, the place where the way to `to` passes that plane.
vec4 cut(vec4 from, vec4 to) {
  float f = from.z + from.w, t = to.z + to.w;
  return f >= 0.0 ? from : mix(from, to, f / (f - t));
}

// Where the front of a tube around `position` is: nearer by the radius, so that a line on a surface is not
// half sunk into it, and a little more. Of a surface that is known not more than it takes by its slant: what is on the far side of
// something thin is not seen through it. A line that is only near its surface may be beneath it here and there, and has all of it
// where the surface faces the eye: there it is on the near side.
float radiusAt(vec4 clip, vec3 position, vec3 normal) {
  float pixel = 2.0 * clip.w / (viewportPixels.x * projectionMatrix[0][0]);
  float most = 0.5 * lineWidth + kAslant * drawnPerPixel;
  float size = length(normal);
  vec3 toEye = orthographic ? vec3(0.0, 0.0, 1.0) : normalize(-position);
  float facing = dot(normal, toEye);
  if (size > 0.0 && (inTriangles || facing < 0.0)) {
    facing = abs(facing) / size;
    float slope = sqrt(max(1.0 - facing * facing, 0.0)) / max(facing, 1e-3);
    most = min(most, kReach * 0.5 * lineWidth * slope + kRounded * drawnPerPixel);
  }
  return most * pixel;
}

#ifdef DEEP
vec4 raised(vec4 clip, vec3 position, vec3 normal) { return clip; }
#else
vec4 raised(vec4 clip, vec3 position, vec3 normal) {
  vec3 toEye = orthographic ? vec3(0.0, 0.0, 1.0) : normalize(-position);
  vec4 front = projectionMatrix * vec4(position + radiusAt(clip, position, normal) * toEye, 1.0);
  clip.z = max(min(front.z / front.w, clip.z / clip.w - kSteps), -1.0) * clip.w;
  return clip;
}
#endif

void emitPair(vec4 clip, vec2 offset, vec2 along, vec3 position, vec3 direction, int end, float capPlace) {
  for (int side = -1; side <= 1; side += 2) {
    viewPosition = position;
    tangent = direction;
    scalar = lineScalar[end];
    phase = linePhase[end];
    across = float(side);
    cap = capPlace;
#ifdef DEEP
    nearer = max(1.0 - radiusAt(clip, position, lineNormal[end]) / length(position), 0.0);
#endif
    gl_Position = clip + vec4((float(side) * offset + along) * 2.0 / viewportPixels * clip.w, 0.0, 0.0);
    EmitVertex();
  }
}

void main() {
  vec3 p0 = linePosition[0], p1 = linePosition[1], p2 = linePosition[2], p3 = linePosition[3];
  vec4 c1 = projectionMatrix * vec4(p1, 1.0), c2 = projectionMatrix * vec4(p2, 1.0);
  if (c1.z + c1.w < 0.0 && c2.z + c2.w < 0.0) return;
  bool first = p0 == p1, last = p3 == p2;
  vec4 c0 = first ? c1 : cut(projectionMatrix * vec4(p0, 1.0), c1);
  vec4 c3 = last ? c2 : cut(projectionMatrix * vec4(p3, 1.0), c2);
  if (c1.z + c1.w < 0.0) first = true;
  if (c2.z + c2.w < 0.0) last = true;
  vec4 a = cut(c1, c2), b = cut(c2, c1);
  vec2 s0 = screen(c0), s1 = screen(a), s2 = screen(b), s3 = screen(c3);

  float halfWidth = 0.5 * lineWidth;
  vec2 direction = s2 - s1;
  if (dot(direction, direction) < 1e-8) direction = s3 - s0;
  direction = dot(direction, direction) < 1e-8 ? vec2(1.0, 0.0) : normalize(direction);
  vec2 normal = vec2(-direction.y, direction.x);
  vec2 offset1 = halfWidth * normal, offset2 = offset1;

  vec2 before = s1 - s0, after = s3 - s2;
  bool joined1 = false, joined2 = false;
  if (!first && dot(before, before) > 1e-8) {
    before = normalize(before);
    joined1 = dot(before, direction) > 0.4;
    if (joined1) {
      vec2 bisector = normalize(before + direction);
      offset1 = halfWidth / dot(bisector, direction) * vec2(-bisector.y, bisector.x);
    }
  }
  if (!last && dot(after, after) > 1e-8) {
    after = normalize(after);
    joined2 = dot(after, direction) > 0.4;
    if (joined2) {
      vec2 bisector = normalize(direction + after);
      offset2 = halfWidth / dot(bisector, direction) * vec2(-bisector.y, bisector.x);
    }
  }

  a = raised(a, p1, lineNormal[1]);
  b = raised(b, p2, lineNormal[2]);
  vec3 axis = normalize(p2 - p1);
  vec3 axis1 = joined1 ? normalize(axis + normalize(p1 - p0)) : axis;
  vec3 axis2 = joined2 ? normalize(axis + normalize(p3 - p2)) : axis;
  vec2 extension = halfWidth * direction;
  if (!joined1) emitPair(a, offset1, -extension, p1, axis1, 1, 1.0);
  emitPair(a, offset1, vec2(0.0), p1, axis1, 1, 0.0);
  emitPair(b, offset2, vec2(0.0), p2, axis2, 2, 0.0);
  if (!joined2) emitPair(b, offset2, extension, p2, axis2, 2, 1.0);
  EndPrimitive();
}
