"use strict";
// What the services of all pages use. Workers get the text of these functions, so they use nothing else.

function numbersOf(count) {
  return Uint32Array.from({length: count}, (_, place) => Math.imul(place + 1, 2654435761) >>> 0);
}

// Does so many rounds of what stands for drawing.
function sumUp(numbers, rounds) {
  let sum = 0;
  for (let i = 0; i < rounds; i++) sum = (sum + numbers[i & 4095] % 1009) | 0;
  return sum;
}
