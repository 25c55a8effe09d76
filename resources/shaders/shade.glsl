// What lines and surfaces share: their colour, and the light on it.

uniform sampler2D colorMap;   // 256 x 1, low to high
uniform bool colored;         // by the map; otherwise by itemColor
uniform vec4 itemColor;
uniform vec4 nanColor;
uniform float opacity;
uniform bool lit;

// `scalar` is the place on the map and whether it is one (1) or comes, in part, from no number (< 1).
vec4 baseColor(vec2 scalar) {
  if (!colored) return itemColor;
  if (scalar.y < 0.999) return nanColor;
  return vec4(texture(colorMap, vec2((clamp(scalar.x, 0.0, 1.0) * 255.0 + 0.5) / 256.0, 0.5)).rgb, 1.0);
}

// Light that moves with the camera: what faces the eye has the colour that the legend shows, and is darker the more it turns
// away; a little from above the left shoulder tells up from down. The shine goes towards white, so that the hue stays. `normal`
// and `toEye` are unit vectors in camera coordinates.
vec3 shade(vec3 base, vec3 normal, vec3 toEye, float gloss) {
  vec3 key = normalize(toEye + vec3(-0.35, 0.5, 0.0));
  float light = 0.56 + 0.30 * max(dot(normal, toEye), 0.0) + 0.14 * max(dot(normal, key), 0.0);
  float shine = gloss * pow(max(dot(normal, normalize(key + toEye)), 0.0), 48.0);
  return mix(base * light, vec3(1.0), shine);
}
