// All sales as text, with the rank of each in its country.
function makeReport(sales) {
  let text = "";
  for (const sale of sales) {
    const better = sales.filter((other) => other.country === sale.country && other.amount > sale.amount).length;
    text += `${sale.id};${sale.amount};${sale.country};${better + 1}\n`;
  }
  return text;
}
if (typeof window === "undefined") onmessage = ({data}) => postMessage(makeReport(data));
