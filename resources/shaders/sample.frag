#version 330 core
// Copies one sample of each pixel, with its depth.

uniform sampler2DMS colors, depths;
uniform int number;

out vec4 fragment;

void main() {
  ivec2 at = ivec2(gl_FragCoord.xy);
  fragment = texelFetch(colors, at, number);
  gl_FragDepth = texelFetch(depths, at, number).r;
}
