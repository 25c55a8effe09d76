// Transparent things are drawn layer by layer, the nearest first (depth peeling: C. Everitt, Interactive
// Order-Independent Transparency, NVIDIA 2001). What lies not behind the layer drawn last is left out here; what
// lies behind the nearest of the rest, the depth test leaves out.
// PEEL 0: not peeling; 1: one depth per pixel; 2: one per sample.

#if PEEL == 1
uniform sampler2D peeledDepth;
bool isPeeled() { return gl_FragCoord.z <= texelFetch(peeledDepth, ivec2(gl_FragCoord.xy), 0).r + 1.2e-7; }
#elif PEEL == 2
uniform sampler2DMS peeledDepth;
bool isPeeled() {
  return gl_FragCoord.z <= texelFetch(peeledDepth, ivec2(gl_FragCoord.xy), gl_SampleID).r + 1.2e-7;
}
#else
bool isPeeled() { return false; }
#endif
