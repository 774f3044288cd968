function makeStreets() {
  const first = ["Mill", "Church", "Station", "Garden", "Bridge", "Market", "School", "River", "Oak", "Linden"];
  const kind = ["Street", "Lane", "Road", "Square", "Way"];
  const place = ["Upton", "Norwood", "Ashby", "Kirkham", "Selby", "Thorpe", "Easton", "Marden"];
  return Array.from({length: 28000}, (_, i) =>
    `${first[i % 10]}${i % 7 ? "" : " Old"} ${kind[i * 3 % 5]} ${1 + i % 97}, ${place[i * 5 % 8]}`);
}

// The likeness of a name and what was typed, which may have wrong letters.
function score(name, query) {
  const typed = query.toLowerCase(), known = name.toLowerCase().slice(0, typed.length + 2);
  let row = Array.from({length: typed.length + 1}, (_, i) => i);
  for (let i = 1; i <= known.length; i++) {
    const next = [i];
    for (let j = 1; j <= typed.length; j++) {
      next[j] = Math.min(row[j] + 1, next[j - 1] + 1, row[j - 1] + (known[i - 1] === typed[j - 1] ? 0 : 1));
    }
    row = next;
  }
  return typed.length - Math.min(typed.length, row[typed.length]);
}

function findStreets(streets, query) {
  const hits = streets.map((name) => ({name, points: score(name, query)})).filter(({points}) => points > 0);
  hits.sort((a, b) => b.points - a.points || (a.name < b.name ? -1 : 1));
  return {hits: hits.length, best: hits.slice(0, 30).map(({name}) => name)};
}

if (typeof window === "undefined") {
  const streets = makeStreets();
  onmessage = ({data}) => postMessage(findStreets(streets, data));
}
