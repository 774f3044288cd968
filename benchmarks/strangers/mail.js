const people = ["Ann", "Bo", "Cy", "Di", "Ed"];
const topics = Array.from({length: 40}, (_, i) => `${["Budget", "Offsite", "Release", "Printer"][i % 4]} ${i}`);
const sentence = "Please have a look at the attached minutes before we meet again on Thursday afternoon in the large room. ";
let number = 0;
function message() {
  number += 1;
  return {
    from: people[number % 5], subject: (number % 3 ? "Re: " : "") + topics[number * 7 % 40],
    text: sentence.repeat(2 + number % 3) + `Number ${number}.`, unread: number % 11 === 0,
  };
}

const worker = location.search === "?worker" ? new Worker("threads.js") : null;

new Vue({
  el: "#app",
  data: {messages: Object.freeze(Array.from({length: 8000}, message)), found: []},
  computed: {
    threads() { return groupThreads(this.messages); },
    shown() { return worker ? this.found : this.threads; },
  },
  created() {
    if (worker) worker.onmessage = ({data}) => { this.found = data; };
    setInterval(this.receive, 1400);
  },
  methods: {
    receive() {
      this.messages = Object.freeze([...this.messages.slice(1), message()]);
      if (worker) worker.postMessage(this.messages);
    },
  },
});
