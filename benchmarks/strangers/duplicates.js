// The number of letters to change, insert or remove to make one text the other.
function distance(a, b) {
  var row = [];
  for (var j = 0; j <= b.length; j++) row[j] = j;
  for (var i = 1; i <= a.length; i++) {
    var diagonal = row[0];
    row[0] = i;
    for (j = 1; j <= b.length; j++) {
      var above = row[j];
      row[j] = Math.min(above + 1, row[j - 1] + 1, diagonal + (a[i - 1] === b[j - 1] ? 0 : 1));
      diagonal = above;
    }
  }
  return row[b.length];
}

// The places of titles that are nearly the same as an earlier one.
function findDuplicates(titles) {
  var found = [];
  for (var i = 0; i < titles.length; i++) {
    for (var j = 0; j < i; j++) {
      if (distance(titles[i], titles[j]) < 4) {
        found.push(i);
        break;
      }
    }
  }
  return found;
}
if (typeof window === "undefined") {
  onmessage = function (event) { postMessage(findDuplicates(event.data)); };
}
