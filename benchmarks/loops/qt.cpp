// Floods of Qt's event loop beside frames, which come from a precise timer.
#include <QCoreApplication>
#include <QEvent>
#include <QThread>
#include <QTimer>
#include "program.h"

static QObject *receiver;

struct ItemEvent : QEvent {
  Item item;
  explicit ItemEvent(Item item) : QEvent(User), item(item) {}
};

struct Receiver : QObject {
  bool event(QEvent *event) override {
    if (event->type() != QEvent::User) return QObject::event(event);
    static_cast<ItemEvent *>(event)->item();
    return true;
  }
};

static void invoke(Item item) {
  QMetaObject::invokeMethod(receiver, [item] { item(); }, Qt::QueuedConnection);
}

static void event(Item item) { QCoreApplication::postEvent(receiver, new ItemEvent(item)); }
static void low_event(Item item) { QCoreApplication::postEvent(receiver, new ItemEvent(item), Qt::LowEventPriority); }

// A timer of 0 ms, which fires until its item is finished.
static void start_timer(Item item) {
  QTimer *timer = new QTimer(receiver);
  QObject::connect(timer, &QTimer::timeout, [=] { if (!item()) timer->deleteLater(); });
  timer->start(0);
}

// Timers start on the thread whose loop fires them.
static void zero_timer(Item item) {
  if (QThread::currentThread() == receiver->thread()) return start_timer(item);
  QMetaObject::invokeMethod(receiver, [item] { start_timer(item); }, Qt::QueuedConnection);
}

static const struct {
  const char *name;
  void (*post)(Item);
} ways[] = {{"invoke", invoke}, {"event", event}, {"low-event", low_event}, {"zero-timer", zero_timer}};

static void await_tick(QTimer *timer) {
  // Rounded up to whole milliseconds, so that it is never early.
  timer->start((next_tick() - now() + 999999) / 1000000);
}

static void begin_frames() {
  QTimer *timer = new QTimer(receiver);
  timer->setTimerType(Qt::PreciseTimer);
  timer->setSingleShot(true);
  QObject::connect(timer, &QTimer::timeout, [=] {
    if (frame()) end();
    await_tick(timer);
  });
  await_tick(timer);
}

int main(int count, char **arguments) {
  begin(arguments);
  QCoreApplication application(count, arguments);
  receiver = new Receiver;
  void (*post)(Item) = nullptr;
  for (const auto &way : ways)
    if (is_way(way.name)) post = way.post;
  if (!post) no_such_way();
  post_floods(post);
  begin_frames();
  return application.exec();
}
