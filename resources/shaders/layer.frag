#version 330 core
// Copies a layer of transparent things, for blending it with those already there. PEEL as in peel.glsl.

#if PEEL == 2
uniform sampler2DMS layer;
#else
uniform sampler2D layer;
#endif

out vec4 fragment;

void main() {
#if PEEL == 2
  fragment = texelFetch(layer, ivec2(gl_FragCoord.xy), gl_SampleID);
#else
  fragment = texelFetch(layer, ivec2(gl_FragCoord.xy), 0);
#endif
}
