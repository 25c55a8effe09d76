#version 330 core
// A ribbon shaded as the cylinder that it stands for.

#include "peel.glsl"
#include "shade.glsl"

in vec3 viewPosition;
in vec3 tangent;
in vec2 scalar;
in float phase;
in float across;
in float cap;

uniform float lineWidth;
uniform bool orthographic;
uniform bool dashed;
uniform float dashClock;  // by how many dashes all have moved on

out vec4 fragment;

// A dash swells towards its front, so that its way is seen even at rest.
bool isBetweenDashes() {
  float change = drawnPerPixel * fwidth(phase);
  float place = fract(phase - dashClock) / 0.65;
  if (change > 0.35) return false;  // too many to be told apart
  return place > 1.0 || abs(across) > 0.3 + 0.7 * place;
}

void main() {
  if (isPeeled() || isCutAway(viewPosition)) discard;
  if (dashed && isBetweenDashes()) discard;
  if (cap > 0.0 && across * across + cap * cap > 1.0) discard;
  vec4 base = baseColor(scalar);
  vec3 color = base.rgb;
  if (lighting != 0) {
    vec3 toEye = orthographic ? vec3(0.0, 0.0, 1.0) : normalize(-viewPosition);
    float width = lineWidth / drawnPerPixel;
    vec3 axis = normalize(tangent);
    vec3 front = toEye - axis * dot(axis, toEye);
    // A line of one or two pixels has no room for its round profile: it would only flicker.
    float u = clamp(across, -1.0, 1.0) * clamp((width - 1.0) / 3.0, 0.25, 0.95);
    vec3 normal = toEye;
    if (dot(front, front) > 1e-6)
      normal = normalize(u * normalize(cross(toEye, axis)) + sqrt(1.0 - u * u) * normalize(front));
    color = shade(color, normal, toEye, 0.22);
    // A darker rim keeps lines apart that run side by side in the same colour.
    color *= 1.0 - 0.3 * clamp((width - 1.0) / 1.5, 0.0, 1.0) * smoothstep(0.45, 1.0, abs(across));
  }
  float alpha = base.a * opacity;
  fragment = drawn(vec4(color * alpha, alpha));
}
