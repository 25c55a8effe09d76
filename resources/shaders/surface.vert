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
uniform vec2 surfaceOrder;  // view::SurfaceOrder: which part of the surfaces comes later than this one; how many there are

// By how much what lies at one depth, up to rounding, is put behind: a part of the distance, more than rounding of places and less
// than anything that can be seen; and some steps of depths of 24 bits.
const float kHair = 2e-5;
const float kSteps = 5e-7;
// For all surfaces together. Where these are few each has more than one step, so that transparent layers are told apart (peel.glsl).
const float kMostSteps = 4e-6;

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
  // Two sides of something without thickness: the one that is turned away from the eye is behind the other. Of several surfaces the
  // last one is in front, and none is as far behind it as its own other side. A texture is before all of them: it lies on the surface
  // that it was made for, which may be drawn as well.
  bool isTexture = vertexPhase >= 0.0;
#ifdef DEEP
  float turned = dot(viewNormal, position.xyz) > 0.0 ? 1.0 : 0.0;
  nearer = 1.0 + kHair * (turned + (isTexture ? -2.0 : surfaceOrder.x));
#else
  vec3 toEye = orthographic ? vec3(0.0, 0.0, 1.0) : normalize(-position.xyz);
  float turned = dot(viewNormal, toEye) < 0.0 ? 1.0 : 0.0;
  float behind = isTexture ? -1.0 : turned + surfaceOrder.x;
  if (behind != 0.0) {
    float steps = isTexture ? kSteps : min(kSteps * (2.0 * surfaceOrder.y - 1.0), kMostSteps);
    // Along the way from the eye; without dividing by how far before it a corner lies, which may be beside it.
    float far = length(position.xyz);
    float away = behind * kHair * (orthographic ? 1.0 : max(far, 0.1));
    gl_Position.z = orthographic ? projectionMatrix[2][2] * (position.z - away) + projectionMatrix[3][2]
                                 : projectionMatrix[2][2] * position.z + projectionMatrix[3][2] * far / (far + away);
    gl_Position.z += behind * steps * gl_Position.w;
  }
#endif
}
