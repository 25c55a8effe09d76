#version 330 core
// Lines: to camera coordinates; the ribbon is made in line.geom.

layout(location = 0) in vec3 vertexPosition;
layout(location = 1) in vec2 vertexScalar;
layout(location = 3) in float vertexPhase;

uniform mat4 modelView;

out vec3 linePosition;
out vec2 lineScalar;
out float linePhase;

void main() {
  linePosition = (modelView * vec4(vertexPosition, 1.0)).xyz;
  lineScalar = vertexScalar;
  linePhase = vertexPhase;
}
