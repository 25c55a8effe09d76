// What lines and surfaces share: their colour, and the light on it.

uniform sampler2D colorMap;   // 256 x 1, low to high
uniform bool colored;         // by the map; otherwise by itemColor
uniform vec4 itemColor;
uniform vec4 nanColor;
uniform vec4 belowColor;      // of values outside of the range; alpha < 0: as at its ends
uniform vec4 aboveColor;
uniform vec2 placeChange;     // factor and offset from the places of the vertices to those of the present range
uniform float opacity;
uniform int lighting;         // 0 off, 1 soft, 2 full

// `scalar` is the place on the map and whether it is one (1) or comes, in part, from no number (< 1).
vec4 baseColor(vec2 scalar) {
  if (!colored) return itemColor;
  if (scalar.y < 0.999) return nanColor;
  float place = scalar.x * placeChange.x + placeChange.y;
  if (place < -1e-5 && belowColor.a >= 0.0) return belowColor;
  if (place > 1.0 + 1e-5 && aboveColor.a >= 0.0) return aboveColor;
  return vec4(texture(colorMap, vec2((clamp(place, 0.0, 1.0) * 255.0 + 0.5) / 256.0, 0.5)).rgb, 1.0);
}

// Light that moves with the camera and keeps the hue that the legend shows: colours are multiplied, by 1 at
// most, and a shine mixes them with white. `normal` and `toEye` are unit vectors in camera coordinates.
// Soft: the legend's colour itself where the surface faces the eye. Full: a key light above the camera's left
// shoulder, a fill from the right, and some from everywhere.
vec3 shade(vec3 base, vec3 normal, vec3 toEye, float gloss) {
  if (lighting == 1) {
    float away = 1.0 - max(dot(normal, toEye), 0.0);
    return base * (1.0 - 0.4 * away * away);
  }
  vec3 key = normalize(toEye + vec3(-0.35, 0.5, 0.0));
  vec3 fill = normalize(toEye + vec3(0.8, -0.3, 0.0));
  float light = 0.46 + 0.52 * max(dot(normal, key), 0.0) + 0.12 * max(dot(normal, fill), 0.0);
  float shine = gloss * pow(max(dot(normal, normalize(key + toEye)), 0.0), 48.0);
  return mix(base * min(light, 1.0), vec3(1.0), shine);
}
