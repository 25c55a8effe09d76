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
uniform float bandCount;      // of the map's equal steps of one colour; 0: it is smooth
uniform bool bandLines;       // between them
uniform bool clipped;         // by these planes, four in each; (0, 0, 0, 1) keeps all
uniform float drawnPerPixel = 1.0;  // pixels drawn for each that is shown, in one direction
uniform mat4 clipFirst, clipSecond, clipThird;

// Whether a place in camera coordinates is cut away.
bool isCutAway(vec3 place) {
  vec4 at = vec4(place, 1.0);
  return clipped && (any(lessThan(at * clipFirst, vec4(0.0))) || any(lessThan(at * clipSecond, vec4(0.0))) ||
                     any(lessThan(at * clipThird, vec4(0.0))));
}

// How much of a line between two bands covers this pixel. Where there are too many to be told apart there is none.
float bandLine(vec2 scalar) {
  float at = (scalar.x * placeChange.x + placeChange.y) * bandCount;
  float perPixel = drawnPerPixel * fwidth(at);
  if (!bandLines || bandCount < 1.5 || scalar.y < 0.999 || perPixel <= 0.0) return 0.0;
  float border = round(at);
  if (border < 0.5 || border > bandCount - 0.5) return 0.0;
  float away = abs(at - border) / perPixel;
  return (1.0 - smoothstep(0.5, 1.2, away)) * (1.0 - smoothstep(0.2, 0.4, perPixel));
}

// `scalar` is the place on the map and whether it is one (1) or comes, in part, from no number (< 1).
vec4 baseColor(vec2 scalar) {
  if (!colored) return itemColor;
  if (scalar.y < 0.999) return nanColor;
  float place = scalar.x * placeChange.x + placeChange.y;
  if (place < -1e-5 && belowColor.a >= 0.0) return belowColor;
  if (place > 1.0 + 1e-5 && aboveColor.a >= 0.0) return aboveColor;
  // Where one band ends is exact, not to an entry of the map.
  if (bandCount > 1.5) place = (min(floor(clamp(place, 0.0, 1.0) * bandCount), bandCount - 1.0) + 0.5) / bandCount;
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
