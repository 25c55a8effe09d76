#version 330 core
// A segment of a polyline becomes the particle on it, if there is one: where the phase, less what all have moved on, is a
// whole number. It is a disc that faces the eye, shaded as a sphere. The disc is a polygon, whose edges multisampling
// smooths.

layout(lines_adjacency) in;
layout(triangle_strip, max_vertices = 16) out;

in vec3 linePosition[];
in vec2 lineScalar[];
in float linePhase[];
in float lineRadius[];

uniform mat4 projectionMatrix;
uniform vec2 viewportPixels;
uniform float drawnPerPixel = 1.0;  // pixels drawn for each that is shown, in one direction
uniform bool orthographic;
uniform float dashClock;  // by how many particles all have moved on

out vec3 viewPosition;  // of the middle: a particle is cut away whole
out vec2 scalar;
out vec2 disc;  // place on the disc, of radius 1
#ifdef DEEP
out float nearer;  // see peel.glsl
#endif

const int kCorners = 16;
const float kLeastPixels = 0.8;  // of the radius: smaller ones would flicker

void main() {
  float from = linePhase[1] - dashClock, to = linePhase[2] - dashClock;
  // The vertex with the lesser phase belongs to the segment, the other one to the next: each particle is seen once.
  float whole = ceil(min(from, to));
  if (!(whole < max(from, to))) return;
  float along = (whole - from) / (to - from);
  vec3 middle = mix(linePosition[1], linePosition[2], along);
  float radius = mix(lineRadius[1], lineRadius[2], along);
  vec4 clip = projectionMatrix * vec4(middle, 1.0);
  if (!(radius > 0.0) || clip.z + clip.w < 0.0) return;
  radius = max(radius, kLeastPixels * drawnPerPixel * 2.0 * clip.w / (viewportPixels.x * projectionMatrix[0][0]));
  // As near as the front of the sphere, so that one on a surface is not half sunk into it.
  vec3 toEye = orthographic ? vec3(0.0, 0.0, 1.0) : normalize(-middle);
  vec4 front = projectionMatrix * vec4(middle + radius * toEye, 1.0);
  float depth = max(front.z / front.w, -1.0);
  for (int n = 0; n < kCorners; ++n) {
    // From side to side, as strips want it.
    int corner = (n & 1) == 0 ? n / 2 : kCorners - (n + 1) / 2;
    float angle = 6.2831853 * float(corner) / float(kCorners);
    disc = vec2(cos(angle), sin(angle));
    viewPosition = middle;
    scalar = mix(lineScalar[1], lineScalar[2], along);
    gl_Position = projectionMatrix * vec4(middle + radius * vec3(disc, 0.0), 1.0);
#ifdef DEEP
    nearer = max(1.0 - radius / length(middle), 0.0);
#else
    gl_Position.z = depth * gl_Position.w;
#endif
    EmitVertex();
  }
  EndPrimitive();
}
