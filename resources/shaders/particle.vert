#version 330 core
// Particles on lines: to camera coordinates; the spheres are made in particle.geom.

layout(location = 0) in vec3 vertexPosition;
layout(location = 1) in vec2 vertexScalar;
layout(location = 3) in float vertexPhase;
layout(location = 5) in float vertexRadius;

uniform mat4 modelView;
uniform vec3 axisScale;  // part of modelView: by which axes are stretched

out vec3 linePosition;
out vec2 lineScalar;
out float linePhase;
out float lineRadius;

void main() {
  linePosition = (modelView * vec4(vertexPosition, 1.0)).xyz;
  lineScalar = vertexScalar;
  linePhase = vertexPhase;
  // A sphere stays one, as large in the whole as before.
  lineRadius = vertexRadius * length(modelView[0].xyz) / axisScale.x;
}
