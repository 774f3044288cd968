"use strict";
// Functions for the services of all pages. Workers get the text of these functions, so they must not use anything else.

function numbersOf(count) {
  return Uint32Array.from({length: count}, (_, place) => Math.imul(place + 1, 2654435761) >>> 0);
}

// Runs the given number of rounds of simulated drawing.
function sumUp(numbers, rounds) {
  let sum = 0;
  for (let i = 0; i < rounds; i++) sum = (sum + numbers[i & 4095] % 1009) | 0;
  return sum;
}
