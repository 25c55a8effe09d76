#version 330 core
// Lines: to camera coordinates; the ribbon is made in line.geom.

layout(location = 0) in vec3 vertexPosition;
layout(location = 1) in vec2 vertexScalar;
layout(location = 2) in vec3 vertexNormal;  // of the surface on which the line lies
layout(location = 3) in float vertexPhase;

uniform mat4 modelView;
uniform vec3 axisScale;  // part of modelView: by which axes are stretched
uniform bool onSurface;  // there are normals

out vec3 linePosition;
out vec2 lineScalar;
out float linePhase;
out vec3 lineNormal;  // (0, 0, 0): not known

void main() {
  linePosition = (modelView * vec4(vertexPosition, 1.0)).xyz;
  lineScalar = vertexScalar;
  linePhase = vertexPhase;
  lineNormal = vec3(0.0);
  if (onSurface) lineNormal = mat3(modelView) * (vertexNormal / (axisScale * axisScale));
}
