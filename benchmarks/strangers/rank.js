// Posts by the interests of the reader, best first.
function rank(posts, interests) {
  const weight = (text) => {
    let sum = 0;
    for (const interest of interests) {
      for (let at = text.indexOf(interest); at >= 0; at = text.indexOf(interest, at + 1)) sum += interest.length;
    }
    return sum / Math.sqrt(text.length);
  };
  return posts.map((post) => ({...post, points: weight(post.text.toLowerCase())})).sort((a, b) => b.points - a.points);
}
if (typeof window === "undefined") onmessage = ({data}) => postMessage(rank(data.posts, data.interests));
