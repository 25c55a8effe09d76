#pragma once
// Places that data stay at, as somebody types them: paging servers, those over ssh, web servers, S3.

#include <QCoreApplication>
#include <QString>

namespace farfield::app {

class Place {
  Q_DECLARE_TR_FUNCTIONS(Place)
 public:
  /// Blanks around it go; what has no scheme is a paging server's.
  explicit Place(const QString& typed);

  const QString& url() const { return m_url; }
  /// What is wrong with it, a sentence with what to do; empty: nothing.
  const QString& problem() const { return m_problem; }
  bool isEmpty() const { return m_url.isEmpty(); }
  /// Whether there is a list of what is in it: of web servers and S3 there is none.
  bool canBeListed() const;
  /// Whether it may name data: of a paging server a path is needed.
  bool canBeOpened() const;
  /// Whether one logs in to it with a token, as to paging servers and renderers: ssh and web servers have ways of their own.
  bool hasLogin() const;
  /// Whether it is a renderer, which has one data set.
  bool isRenderer() const;
  /// For lists of places that are kept: without what may be secret. Empty: it is not kept.
  QString toKeep() const;

 private:
  void check();
  QString m_url, m_problem;
  bool m_hasPath = false;
};

}  // namespace farfield::app
