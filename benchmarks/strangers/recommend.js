// Products that are like the ones that were viewed, best first.
function recommend(products, viewed) {
  var scored = products.map(function (product) {
    var score = 0;
    for (var i = 0; i < viewed.length; i++) {
      var other = viewed[i];
      for (var j = 0; j < product.tags.length; j++) {
        if (other.tags.indexOf(product.tags[j]) >= 0) score += 3;
      }
      score -= Math.abs(product.price - other.price) / 100;
    }
    return {product: product, score: score};
  });
  scored.sort(function (a, b) { return b.score - a.score; });
  return scored.slice(0, 24).map(function (entry) { return entry.product; });
}
if (typeof window === "undefined") {
  onmessage = function (event) { postMessage(recommend(event.data.products, event.data.viewed)); };
}
