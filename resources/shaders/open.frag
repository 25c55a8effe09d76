#version 330 core
// Where a layer of transparent things has anything: there, and there alone, may be more of them behind it. PEEL as in peel.glsl.

#if PEEL == 2
uniform sampler2DMS layer, behind;  // depths of the layer, and of what hides things
uniform int samples;
#else
uniform sampler2D layer, behind;
#endif

out vec4 fragment;

void main() {
  ivec2 at = ivec2(gl_FragCoord.xy);
  bool open = false;
#if PEEL == 2
  for (int n = 0; n < samples; ++n) open = open || texelFetch(layer, at, n).r != texelFetch(behind, at, n).r;
#else
  open = texelFetch(layer, at, 0).r != texelFetch(behind, at, 0).r;
#endif
  fragment = vec4(open ? 1.0 : 0.0);
}
