#version 330 core
// A disc shaded as the sphere that it stands for.

#include "peel.glsl"
#include "shade.glsl"

in vec3 viewPosition;
in vec2 scalar;
in vec2 disc;

out vec4 fragment;

void main() {
  if (isPeeled() || isCutAway(viewPosition)) discard;
  vec4 base = baseColor(scalar);
  vec3 color = base.rgb;
  float out2 = min(dot(disc, disc), 1.0);
  if (lighting != 0) color = shade(color, vec3(disc, sqrt(1.0 - out2)), vec3(0.0, 0.0, 1.0), 0.35);
  // A darker rim keeps apart what overlaps in the same colour.
  color *= 1.0 - 0.25 * smoothstep(0.5, 1.0, out2);
  float alpha = base.a * opacity;
  fragment = drawn(vec4(color * alpha, alpha));
}
