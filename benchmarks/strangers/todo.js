var Todo = Backbone.Model.extend({defaults: {title: "", isDouble: false}});
var Todos = Backbone.Collection.extend({model: Todo});

var AppView = Backbone.View.extend({
  el: "body",
  row: _.template($("#row").html()),

  initialize: function () {
    this.worker = location.search === "?worker" ? new Worker("duplicates.js") : null;
    if (this.worker) this.worker.onmessage = _.bind(function (event) { this.mark(event.data); }, this);
    this.listenTo(this.collection, "add remove", _.debounce(this.check, 30));
    this.listenTo(this.collection, "add remove change", _.throttle(this.render, 200));
  },

  check: function () {
    var titles = this.collection.pluck("title");
    if (this.worker) this.worker.postMessage(titles);
    else this.mark(findDuplicates(titles));
  },

  mark: function (places) {
    this.collection.each(function (todo, place) { todo.set("isDouble", _.contains(places, place)); });
  },

  render: function () {
    var row = this.row;
    this.$("#list").html(this.collection.last(20).map(function (todo) { return "<li>" + row(todo.attributes) + "</li>"; }));
    this.$("#status").text(this.collection.length + " tasks");
  }
});

var verbs = ["write", "review", "translate", "print", "send", "archive"], things = ["letter", "contract", "invoice", "plan"];
var todos = new Todos(_.times(130, function (i) {
  return {title: verbs[i % 6] + " the " + things[i % 4] + " number " + i * 37 + " for the office in the " + i % 9 + "th street"};
}));
new AppView({collection: todos}).render();

setInterval(function () {
  todos.shift();
  todos.add({title: "call back customer " + Math.floor(Math.random() * 1000) + " about the order of last week"});
}, 1200);
