$(function () {
  var viewed = [];
  var refreshes = 0;
  var worker = location.search === "?worker" ? new Worker("recommend.js") : null;

  function card(product) {
    return '<div class="card"><b>' + product.name + '</b><br><span class="price">$' + product.price.toFixed(2) +
      "</span><br>" + product.tags.join(", ") + "</div>";
  }

  function show(best) {
    $("#grid").html(best.map(card).join(""));
    $("#count").text("updated " + ++refreshes + " times");
  }

  function refresh() {
    $.getJSON("products.json", function (products) {
      viewed = products.filter(function (product, i) { return i % 5 === refreshes % 5; });
      if (worker) {
        worker.postMessage({products: products, viewed: viewed});
      } else {
        show(recommend(products, viewed));
      }
    });
  }

  if (worker) worker.onmessage = function (event) { show(event.data); };
  refresh();
  setInterval(refresh, 1100);
});
