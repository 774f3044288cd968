const photos = document.getElementById("photos");
for (let i = 0; i < 40; i++) photos.append(Object.assign(document.createElement("div"), {className: "skeleton"}));

const source = Object.assign(document.createElement("canvas"), {width: 1200, height: 800});
const pen = source.getContext("2d", {willReadFrequently: true});

// Instead of a download.
function load(number) {
  pen.fillStyle = `hsl(${number * 37 % 360} 60% 60%)`;
  pen.fillRect(0, 0, 1200, 800);
  for (let i = 0; i < 60; i++) {
    pen.fillStyle = `hsl(${(number * 53 + i * 7) % 360} 70% ${30 + i % 40}%)`;
    pen.fillRect(i * 97 % 1200, i * 61 % 800, 150, 120);
  }
  return pen.getImageData(0, 0, 1200, 800);
}

function show(number, pixels, width, height) {
  const canvas = Object.assign(document.createElement("canvas"), {width, height});
  canvas.getContext("2d").putImageData(new ImageData(pixels, width, height), 0, 0);
  photos.children[number % 40].replaceWith(canvas);
}

let number = 0;
const worker = location.search === "?worker" ? new Worker("sharpen.js") : null;
if (worker) worker.onmessage = ({data}) => shown(data.pixels, data.width, data.height);

function nextPhoto() {
  number += 1;
  const picture = load(number);
  if (worker) {
    worker.postMessage({data: picture.data, width: 1200, height: 800}, [picture.data.buffer]);
    return;
  }
  const start = performance.now();
  const pixels = sharpen(picture);
  performance.measure("sharpen", {start, end: performance.now()});
  shown(pixels, 1200, 800);
}

// The next photo comes 350 ms after this one, wherever it is sharpened.
function shown(pixels, width, height) {
  show(number, pixels, width, height);
  setTimeout(nextPhoto, 350);
}
nextPhoto();
