(function () {
  var bidders = ["alpha", "beta", "gamma", "delta", "omega"];
  var round = 0;

  function bid(bidder, seed) {
    // A "model" that each bidder evaluates for the visitor.
    var state = seed + bidder.length, price = 0;
    for (var i = 0; i < 3500000; i++) {
      state = (state * 1103515245 + 12345) & 0x7fffffff;
      price += (state % 1000) / 1e9;
    }
    return price;
  }

  function runAuction() {
    round++;
    var best = bidders.map(function (bidder) { return {bidder: bidder, price: bid(bidder, round)}; })
      .sort(function (a, b) { return b.price - a.price; })[0];
    show("Ad by " + best.bidder + " for $" + best.price.toFixed(2));
  }

  function show(text) {
    if (typeof document === "undefined") postMessage(text);
    else document.getElementById("banner").textContent = text;
  }

  setInterval(runAuction, 1300);
})();
