#version 330 core
// Surfaces: to the screen, with what the light needs.

layout(location = 0) in vec3 vertexPosition;
layout(location = 1) in vec2 vertexScalar;
layout(location = 2) in vec3 vertexNormal;

uniform mat4 modelView;
uniform mat4 projectionMatrix;

out vec3 viewPosition;
out vec3 viewNormal;
out vec2 scalar;

void main() {
  vec4 position = modelView * vec4(vertexPosition, 1.0);
  viewPosition = position.xyz;
  viewNormal = mat3(modelView) * vertexNormal;
  scalar = vertexScalar;
  gl_Position = projectionMatrix * position;
}
