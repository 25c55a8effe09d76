#version 330 core
// Surfaces: to the screen, with what the light needs.

layout(location = 0) in vec3 vertexPosition;
layout(location = 1) in vec2 vertexScalar;
layout(location = 2) in vec3 vertexNormal;
layout(location = 3) in float vertexPhase;  // of a texture: how light; below 0: there is none
layout(location = 4) in vec2 vertexWave;    // of a texture

uniform mat4 modelView;
uniform mat4 projectionMatrix;
uniform bool orthographic;
uniform vec3 axisScale;  // part of modelView: by which axes are stretched

out vec3 viewPosition;
out vec3 viewNormal;
out vec2 scalar;
out float light;
out vec2 wave;
#ifdef DEEP
out float nearer;  // see peel.glsl
#endif

void main() {
  vec4 position = modelView * vec4(vertexPosition, 1.0);
  viewPosition = position.xyz;
  viewNormal = mat3(modelView) * vertexNormal;
  if (axisScale != vec3(1.0)) {
    // Upright on what is stretched; of any length before, and none stays none.
    viewNormal = mat3(modelView) * (vertexNormal / (axisScale * axisScale));
    viewNormal /= max(length(viewNormal), 1e-30);
  }
  scalar = vertexScalar;
  light = vertexPhase;
  wave = vertexWave;
  gl_Position = projectionMatrix * position;
#ifdef DEEP
  // As below, of any distance.
  nearer = 1.0 + (dot(viewNormal, position.xyz) > 0.0 ? 2e-5 : 0.0) - (vertexPhase >= 0.0 ? 4e-5 : 0.0);
#else
  // Two sides of something without thickness lie at one depth, up to rounding: the one that is turned away from
  // the eye is put behind the other, by more than that and less than anything that can be seen.
  vec3 toEye = orthographic ? vec3(0.0, 0.0, 1.0) : normalize(-position.xyz);
  if (dot(viewNormal, toEye) < 0.0) {
    vec4 behind = position;
    behind.xyz -= 2e-5 * (orthographic ? 1.0 : max(length(position.xyz), 0.1)) * toEye;
    behind = projectionMatrix * behind;
    gl_Position.z = (behind.z / behind.w + 5e-7) * gl_Position.w;
  }
  // A texture lies on the surface that it was made for, which may be drawn as well.
  if (vertexPhase >= 0.0) {
    vec4 before = position;
    before.xyz += 2e-5 * (orthographic ? 1.0 : max(length(position.xyz), 0.1)) * toEye;
    before = projectionMatrix * before;
    gl_Position.z = (before.z / before.w - 5e-7) * gl_Position.w;
  }
#endif
}
