#include "render/qt3d/effects.h"

#include <QMatrix4x4>
#include <QVector2D>
#include <QVector3D>
#include <Qt3DRender/QBlendEquation>
#include <Qt3DRender/QBlendEquationArguments>
#include <Qt3DRender/QCullFace>
#include <Qt3DRender/QDepthTest>
#include <Qt3DRender/QFilterKey>
#include <Qt3DRender/QGraphicsApiFilter>
#include <Qt3DRender/QNoDepthMask>
#include <Qt3DRender/QRenderPass>
#include <Qt3DRender/QShaderProgram>
#include <Qt3DRender/QTechnique>
#include <Qt3DRender/QTexture>
#include <Qt3DRender/QTextureImageDataGenerator>

#include "render/color/color_map.h"
#include "render/color/shader_source.h"

namespace farfield::qt3d {
namespace {

using namespace Qt3DRender;

constexpr std::size_t kMostMaps = 64;

// Hands Qt 3D the colours of a map.
class ColorMapGenerator : public QTextureImageDataGenerator {
 public:
  explicit ColorMapGenerator(std::shared_ptr<const color::ColorMap> map) : m_map(std::move(map)) {}
  QTextureImageDataPtr operator()() override {
    QByteArray pixels;
    for (const color::Rgb8& entry : m_map->table()) {
      for (const std::uint8_t part : entry) pixels.append(char(part));
      pixels.append(char(0xFF));
    }
    auto data = QTextureImageDataPtr::create();
    data->setTarget(QOpenGLTexture::Target2D);
    data->setFormat(QOpenGLTexture::RGBA8_UNorm);
    data->setPixelFormat(QOpenGLTexture::RGBA);
    data->setPixelType(QOpenGLTexture::UInt8);
    data->setWidth(color::ColorMap::kEntries);
    data->setHeight(1);
    data->setDepth(1);
    data->setFaces(1);
    data->setLayers(1);
    data->setMipLevels(1);
    data->setData(pixels, 4);
    return data;
  }
  bool operator==(const QTextureImageDataGenerator& other) const override {
    const auto* const same = Qt3DCore::functor_cast<ColorMapGenerator>(&other);
    return same && same->m_map == m_map;
  }
  QT3D_FUNCTOR(ColorMapGenerator)

 private:
  const std::shared_ptr<const color::ColorMap> m_map;
};

class ColorMapImage : public QAbstractTextureImage {
 public:
  explicit ColorMapImage(const color::ColorMap& map) : m_map(std::make_shared<const color::ColorMap>(map)) {}

 protected:
  QTextureImageDataGeneratorPtr dataGenerator() const override {
    return QSharedPointer<ColorMapGenerator>::create(m_map);
  }

 private:
  const std::shared_ptr<const color::ColorMap> m_map;
};

QByteArray source(const char* file, bool depths, bool deep) {
  std::string defines = depths ? "#define PEEL 3" : "#define PEEL 0";
  if (deep) defines += "\n#define DEEP";
  return QByteArray::fromStdString(color::shaderSource(file, defines));
}

}  // namespace

Effects::Effects(Qt3DCore::QNode* parent)
    : m_parent(parent),
      m_viewportPixels(new QParameter("viewportPixels", QVector2D(1, 1), parent)),
      m_perPixel(new QParameter("drawnPerPixel", 1.0f, parent)),
      m_orthographic(new QParameter("orthographic", false, parent)),
      m_dashClock(new QParameter("dashClock", 0.0f, parent)),
      m_axisScale(new QParameter("axisScale", QVector3D(1, 1, 1), parent)),
      m_deepDepths(new QParameter("deepDepths", QVector2D(1, 1), parent)),
      m_clips{new QParameter("clipFirst", QMatrix4x4(), parent),
              new QParameter("clipSecond", QMatrix4x4(), parent),
              new QParameter("clipThird", QMatrix4x4(), parent)} {
  for (const auto kind : {Kind::Lines, Kind::Particles, Kind::Triangles})
    for (const bool transparent : {false, true}) effect(kind, transparent, false);
}

QRenderPass* Effects::makePass(Kind kind, bool depths, bool deep) {
  auto* const program = new QShaderProgram;
  if (kind == Kind::Lines) {
    program->setVertexShaderCode(source("line.vert", depths, deep));
    program->setGeometryShaderCode(source("line.geom", depths, deep));
    program->setFragmentShaderCode(source("line.frag", depths, deep));
  } else if (kind == Kind::Particles) {
    program->setVertexShaderCode(source("particle.vert", depths, deep));
    program->setGeometryShaderCode(source("particle.geom", depths, deep));
    program->setFragmentShaderCode(source("particle.frag", depths, deep));
  } else {
    program->setVertexShaderCode(source("surface.vert", depths, deep));
    program->setFragmentShaderCode(source("surface.frag", depths, deep));
  }
  QObject::connect(program, &QShaderProgram::statusChanged, program,
                   [this, program](QShaderProgram::Status status) {
                     if (status == QShaderProgram::Error) m_problem = program->log().section('\n', 0, 0);
                   });
  auto* const pass = new QRenderPass;
  pass->setShaderProgram(program);
  auto* const depth = new QDepthTest;
  depth->setDepthFunction(QDepthTest::Less);
  pass->addRenderState(depth);
  auto* const culling = new QCullFace;  // Qt 3D leaves out back faces by default
  culling->setMode(QCullFace::NoCulling);
  pass->addRenderState(culling);
  auto* const key = new QFilterKey;
  key->setName(QString::fromLatin1(kDrawnKey));
  key->setValue(QString::fromLatin1(depths ? kDepths : kColors));
  pass->addFilterKey(key);
  return pass;
}

QEffect* Effects::make(Kind kind, bool transparent, bool deep) {
  QRenderPass* const pass = makePass(kind, false, deep);
  if (transparent) {
    auto* const factors = new QBlendEquationArguments;  // colours are multiplied by their alpha
    factors->setSourceRgba(QBlendEquationArguments::One);
    factors->setDestinationRgba(QBlendEquationArguments::OneMinusSourceAlpha);
    pass->addRenderState(factors);
    auto* const equation = new QBlendEquation;
    equation->setBlendFunction(QBlendEquation::Add);
    pass->addRenderState(equation);
    pass->addRenderState(new QNoDepthMask);
  }
  auto* const technique = new QTechnique;
  technique->graphicsApiFilter()->setApi(QGraphicsApiFilter::OpenGL);
  technique->graphicsApiFilter()->setProfile(QGraphicsApiFilter::CoreProfile);
  technique->graphicsApiFilter()->setMajorVersion(3);
  technique->graphicsApiFilter()->setMinorVersion(3);
  technique->addRenderPass(pass);
  technique->addRenderPass(makePass(kind, true, deep));
  auto* const effect = new QEffect(m_parent);
  effect->addTechnique(technique);
  effect->addParameter(m_viewportPixels);
  effect->addParameter(m_perPixel);
  effect->addParameter(m_orthographic);
  effect->addParameter(m_dashClock);
  effect->addParameter(m_axisScale);
  effect->addParameter(m_deepDepths);
  for (QParameter* const clip : m_clips) effect->addParameter(clip);
  return effect;
}

QEffect* Effects::effect(Kind kind, bool transparent, bool deep) {
  QEffect*& its = m_effects[{kind, transparent, deep}];
  if (!its) its = make(kind, transparent, deep);
  return its;
}

QAbstractTexture* Effects::colorMap(const scene::MapChoice& choice) {
  const auto found = m_maps.find(choice);
  if (found != m_maps.end()) return found->second;
  auto* const texture = new QTexture2D(m_parent);
  texture->setFormat(QAbstractTexture::RGBA8_UNorm);
  texture->setSize(color::ColorMap::kEntries, 1);
  texture->setGenerateMipMaps(false);
  texture->setMinificationFilter(QAbstractTexture::Linear);
  texture->setMagnificationFilter(QAbstractTexture::Linear);
  texture->setWrapMode(QTextureWrapMode(QTextureWrapMode::ClampToEdge));
  texture->addTextureImage(new ColorMapImage(color::ColorMap::of(choice)));
  return m_maps.emplace(choice, texture).first->second;
}

bool Effects::hasManyMaps() const {
  return m_maps.size() > kMostMaps;
}

void Effects::forgetMaps(const std::set<scene::MapChoice>& used) {
  std::erase_if(m_maps, [&](const auto& each) {
    if (used.contains(each.first)) return false;
    delete each.second;
    return true;
  });
}

void Effects::setClip(const view::ClipUniforms& clip) {
  for (std::size_t n = 0; n < clip.size(); ++n) m_clips[n]->setValue(QMatrix4x4(clip[n].data()).transposed());
}

void Effects::setView(float widthPixels, float heightPixels, float perPixel, bool orthographic,
                      float dashClock, Vec3 axisScale, std::array<float, 2> deepDepths) {
  m_perPixel->setValue(perPixel);
  m_viewportPixels->setValue(QVector2D(widthPixels, heightPixels));
  m_orthographic->setValue(orthographic);
  m_dashClock->setValue(dashClock);
  m_axisScale->setValue(QVector3D(float(axisScale.x), float(axisScale.y), float(axisScale.z)));
  m_deepDepths->setValue(QVector2D(deepDepths[0], deepDepths[1]));
}

}  // namespace farfield::qt3d
