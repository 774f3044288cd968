const feed = document.getElementById("feed");
// The beginnings of words that the reader likes.
const interests = ["ma", "ga", "ri", "br", "sc", "mu", "ba", "wi", "op", "ne", "be", "fu", "th", "is", "of", "an"].flatMap((stem) =>
  ["", "r", "v", "i", "h", "s"].map((more) => stem + more));
const worker = location.search === "?worker" ? new Worker("rank.js") : null;

function ranked(posts) {
  if (!worker) return rank(posts, interests);
  worker.postMessage({posts, interests});
  return new Promise((done) => { worker.onmessage = ({data}) => done(data); });
}

function show(posts) {
  feed.replaceChildren(...posts.slice(0, 12).map((post) => {
    const box = document.createElement("section");
    box.className = "post fresh";
    box.innerHTML = `<b>${post.author}</b><p>${post.text.slice(0, 160)}</p>`;
    return box;
  }));
}

async function loadMore(page) {
  const answer = await fetch(`posts.json?page=${page}`);
  const posts = await answer.json();
  show(await ranked(posts));
}

for (let page = 1; ; page++) {
  await loadMore(page);
  await new Promise((later) => setTimeout(later, 1000));
}
