#version 330 core
// A surface lit from both sides.

#include "peel.glsl"
#include "shade.glsl"

in vec3 viewPosition;
in vec3 viewNormal;
in vec2 scalar;
in float light;
in vec2 wave;

uniform bool orthographic;
uniform bool dashed;
uniform float dashClock;

out vec4 fragment;

void main() {
  float line = bandLine(scalar);  // before anything is discarded: it looks at neighbours
  if (isPeeled() || isCutAway(viewPosition)) discard;
  vec4 base = baseColor(scalar);
  vec3 color = base.rgb;
  if (light >= 0.0) {
    float shift = 2.0 * light - 1.0;
    float angle = 6.2831853 * dashClock;
    if (dashed) shift = 0.4 * shift + 0.6 * (wave.x * cos(angle) - wave.y * sin(angle));
    color = shift < 0.0 ? color * (1.0 + 0.75 * shift) : mix(color, vec3(1.0), 0.6 * shift);
  }
  if (lighting != 0) {
    vec3 toEye = orthographic ? vec3(0.0, 0.0, 1.0) : normalize(-viewPosition);
    // The side that is seen follows from the triangle itself: near a silhouette the smooth normal may
    // already point away although the triangle does not.
    vec3 flat_ = cross(dFdx(viewPosition), dFdy(viewPosition));
    if (dot(flat_, toEye) < 0.0) flat_ = -flat_;
    vec3 normal = viewNormal;
    if (dot(normal, normal) < 1e-12) normal = flat_;
    if (dot(normal, flat_) < 0.0) normal = -normal;
    normal = dot(normal, normal) > 0.0 ? normalize(normal) : toEye;
    color = shade(color, normal, toEye, 0.10);
  }
  color = mix(color, vec3(0.1), 0.85 * line);
  float alpha = base.a * opacity;
  fragment = drawn(vec4(color * alpha, alpha));
}
