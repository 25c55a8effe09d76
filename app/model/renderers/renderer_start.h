#pragma once
// Starts farfield-slabd for the window: on this machine, for a trial, or on another one by ssh, which carries the connection. What
// is started ends with the object that started it, and where this program is killed, or the connection lost, with that.

#include <QObject>
#include <QProcess>
#include <QString>
#include <QStringList>

namespace farfield::app {

struct RendererPlan {
  bool isHere = true;  ///< on this machine; else on `host`
  QString host;        ///< as ssh takes it: user@host
  QString data;        ///< a file or a URL, as that machine sees it
  QString solution;    ///< empty: none
  int ranks = 2;
  int port = 0;  ///< of this machine, for the connection; there it is the next one. Where it is here: any
};

/// What starts it: the program and its words. What that starts ends when nobody holds the other end of its standard input any more.
QStringList rendererCommand(const RendererPlan& plan);
/// What one types in a shell for the same: it ends by Ctrl+C, or with the terminal.
QString commandText(const RendererPlan& plan);
/// Any port that is seldom used, for a renderer elsewhere.
int somePort();

/// Lives on the UI thread; no call waits, but the destructor may for a moment.
class RendererStart : public QObject {
  Q_OBJECT
 public:
  explicit RendererStart(RendererPlan plan, QObject* parent = nullptr);
  ~RendererStart() override;
  void start();
  const RendererPlan& plan() const { return m_plan; }
  const QString& url() const { return m_url; }  ///< slab://…, once it listens
  /// Whether this program started the one at `url`: nobody finds it there later.
  static bool isOwn(const QString& url);

 signals:
  /// It accepts viewers at url().
  void listening(const QString& url);
  /// It does not start, or has ended: why, and what to do.
  void failed(const QString& message, const QString& advice);

 private:
  void read();
  void take(const QString& line);
  void finish();

  const RendererPlan m_plan;
  QProcess m_process;
  QByteArray m_unread;
  QStringList m_said;  ///< its last lines
  QString m_url;
  bool m_hasFailed = false;
};

}  // namespace farfield::app
