// An unsharp mask over the pixels of a picture.
function sharpen({data, width, height}) {
  const out = new Uint8ClampedArray(data.length);
  for (let y = 1; y < height - 1; y++) {
    for (let x = 1; x < width - 1; x++) {
      for (let c = 0; c < 3; c++) {
        let around = 0;
        for (let dy = -1; dy <= 1; dy++) {
          for (let dx = -1; dx <= 1; dx++) around += data[((y + dy) * width + x + dx) * 4 + c];
        }
        const at = (y * width + x) * 4 + c;
        out[at] = data[at] + 0.8 * (data[at] - around / 9);
      }
      out[(y * width + x) * 4 + 3] = 255;
    }
  }
  return out;
}
if (typeof window === "undefined") {
  onmessage = ({data}) => {
    const pixels = sharpen(data);
    postMessage({pixels, width: data.width, height: data.height}, [pixels.buffer]);
  };
}
