// Transparent things are drawn layer by layer, the nearest first (depth peeling: C. Everitt, Interactive
// Order-Independent Transparency, NVIDIA 2001). What lies not behind the layer drawn last is left out here; what
// lies behind the nearest of the rest, the depth test leaves out.
// PEEL 0: not peeling; 1: one depth per pixel; 2: one per sample; 3: not peeling, and depths are drawn in place of
// colours, the highest of their 24 bits in red.
// DEEP: what is seen reaches from very near to very far, where numbers of depths by the projection are all the same from somewhere on.
// Depths are then the distance in floating point, its exponent and its fraction as one number, which is nearly its logarithm
// (view::ViewTransform): so many digits of every distance.

#ifdef DEEP
in float nearer;          // the part of the way to the eye at which it counts as being
uniform vec2 deepDepths;  // view::ViewTransform::deepDepths()
float depthHere() {
  float away = max(nearer / gl_FragCoord.w * deepDepths.x, 1.0);
  // 1 is the background
  return min(float(floatBitsToInt(away) - 0x3F800000) * deepDepths.y, 0.9999998);
}
#else
float depthHere() { return gl_FragCoord.z; }
#endif

#if PEEL == 1
uniform sampler2D peeledDepth;
bool isPeeled() { return depthHere() <= texelFetch(peeledDepth, ivec2(gl_FragCoord.xy), 0).r + 1.2e-7; }
#elif PEEL == 2
uniform sampler2DMS peeledDepth;
bool isPeeled() {
  return depthHere() <= texelFetch(peeledDepth, ivec2(gl_FragCoord.xy), gl_SampleID).r + 1.2e-7;
}
#else
bool isPeeled() { return false; }
#endif

void writeDepth() {
#ifdef DEEP
  gl_FragDepth = depthHere();
#endif
}

#if PEEL == 3
vec4 drawn(vec4 color) {
  writeDepth();
  uint depth = uint(clamp(depthHere(), 0.0, 1.0) * 16777215.0 + 0.5);
  return vec4(float(depth >> 16u), float((depth >> 8u) & 255u), float(depth & 255u), 255.0) / 255.0;
}
#else
vec4 drawn(vec4 color) {
  writeDepth();
  return color;
}
#endif
