// Groups messages into threads by the words of their subjects and texts.
function groupThreads(messages) {
  const threads = new Map();
  for (const message of messages) {
    const words = message.text.toLowerCase().split(/\W+/).filter((word) => word.length > 3).sort();
    const key = message.subject.replace(/^(re|fwd): /i, "");
    const thread = threads.get(key) || {subject: key, people: new Set(), count: 0, words: new Map(), unread: false};
    thread.people.add(message.from);
    thread.count += 1;
    thread.unread = thread.unread || message.unread;
    for (const word of words) thread.words.set(word, (thread.words.get(word) || 0) + 1);
    threads.set(key, thread);
  }
  return [...threads.values()].sort((a, b) => b.count - a.count).slice(0, 25)
    .map(({subject, people, count, unread}) => ({subject, people: [...people].join(", "), count, unread}));
}
if (typeof window === "undefined") onmessage = ({data}) => postMessage(groupThreads(data));
