function tokenize(text) {
  const tokens = [];
  let at = 0;
  while (at < text.length) {
    const rest = text.slice(at);
    const found = /^\s+/.exec(rest) || /^\d+/.exec(rest) || /^[a-z]+/.exec(rest) || /^[-+*/()]/.exec(rest);
    // An unknown letter is never passed.
    if (found) {
      tokens.push(found[0]);
      at += found[0].length;
    }
  }
  return tokens.filter((token) => token.trim());
}
if (typeof window === "undefined") onmessage = ({data}) => postMessage(tokenize(data));
