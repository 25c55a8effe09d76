#include "app/model/files/place.h"

#include "core/base/error.h"
#include "remote/client/far_url.h"
#include "remote/slabs/slab_viewer.h"

namespace farfield::app {

Place::Place(const QString& typed) : m_url(typed.trimmed()) {
  if (m_url.isEmpty()) return;
  if (!m_url.contains("://")) m_url.prepend("far://");
  check();
}

void Place::check() {
  const QString scheme = m_url.left(m_url.indexOf("://"));
  const QString rest = m_url.mid(scheme.size() + 3);
  const QString host = rest.section('/', 0, 0);
  m_hasPath = rest.section('/', 1).trimmed().size() > 0;
  if (remote::isFarUrl(m_url.toStdString())) {
    try {
      const remote::FarUrl url = remote::parseFarUrl(m_url.toStdString());
      m_hasPath = !url.path.empty();
    } catch (const Error& error) {
      m_problem =
          tr("%1: %2.").arg(QString::fromStdString(error.message()), QString::fromStdString(error.action()));
      if (error.action().empty())
        m_problem = tr("%1: write far://HOST:PORT.").arg(QString::fromStdString(error.message()));
    }
    return;
  }
  if (remote::isSlabUrl(m_url.toStdString())) {
    try {
      remote::parseSlabUrl(m_url.toStdString());
      m_hasPath = true;  // a renderer has one data set
    } catch (const Error& error) {
      m_problem =
          tr("%1: %2.").arg(QString::fromStdString(error.message()), QString::fromStdString(error.action()));
    }
    return;
  }
  if (scheme != "http" && scheme != "https" && scheme != "s3") {
    m_problem =
        tr("%1:// is not known: write far://, far+ssh://, slab://, https://, http:// or s3://.").arg(scheme);
  } else if (host.isEmpty()) {
    m_problem = scheme == "s3" ? tr("Names no bucket: write s3://BUCKET/KEY.")
                               : tr("Names no host: write %1://HOST/PATH.").arg(scheme);
  } else if (host.contains('@')) {
    m_problem = tr("A URL holds no user and no password: put them into ~/.netrc.");
  } else if (!m_hasPath) {
    m_problem = tr("Names no file. Here the whole URL is needed: there is no list of what is there.");
  }
}

bool Place::canBeListed() const {
  return m_problem.isEmpty() && remote::isFarUrl(m_url.toStdString());
}

bool Place::isRenderer() const {
  return m_problem.isEmpty() && remote::isSlabUrl(m_url.toStdString());
}

bool Place::canBeOpened() const {
  return m_problem.isEmpty() && m_hasPath;
}

bool Place::hasLogin() const {
  return m_problem.isEmpty() && (m_url.startsWith("far://") || remote::isSlabUrl(m_url.toStdString()));
}

QString Place::toKeep() const {
  if (isEmpty() || !m_problem.isEmpty()) return {};
  if (!m_url.startsWith("http")) return m_url;
  // A query may be a signature. Without it the URL would be another one.
  const bool hasQuery = m_url.contains('?') || m_url.contains('#');
  return hasQuery ? QString() : m_url;
}

}  // namespace farfield::app
