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

// Light that moves with the camera: a key light above its left shoulder, a fill from the right, and some
// from everywhere, so that nothing is black and colours keep the hue that the legend shows. `normal` and
// `toEye` are unit vectors in camera coordinates.
vec3 shade(vec3 base, vec3 normal, vec3 toEye, float gloss) {
  vec3 key = normalize(toEye + vec3(-0.35, 0.5, 0.0));
  vec3 fill = normalize(toEye + vec3(0.8, -0.3, 0.0));
  float light = 0.46 + 0.52 * max(dot(normal, key), 0.0) + 0.12 * max(dot(normal, fill), 0.0);
  float shine = gloss * pow(max(dot(normal, normalize(key + toEye)), 0.0), 48.0);
  return min(base * light + shine, 1.0);
}
