#version 330 core
// A picture on a mesh, as it was rendered: without light. Its colours are multiplied by alpha already.

#include "peel.glsl"

in vec2 scalar;  // the place in the picture

uniform sampler2D picture;
uniform float opacity;

out vec4 fragment;

void main() {
  if (isPeeled()) discard;
  fragment = drawn(texture(picture, scalar) * opacity);
  if (fragment.a == 0.0) discard;
}
