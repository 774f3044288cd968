// The faults of the page's layout, as a list of sentences.
(function () {
  const wrong = [];
  const name = (element) => {
    const words = (element.textContent || "").trim().replace(/\s+/g, " ").slice(0, 40);
    return `<${element.tagName.toLowerCase()} class="${element.getAttribute("class") || ""}"> '${words}'`;
  };
  const isSeen = (element) => element.checkVisibility({ checkVisibilityCSS: true });
  const width = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth > width) {
    wrong.push(`the page scrolls sideways: ${document.documentElement.scrollWidth} of ${width}`);
  }
  const texts = [];
  for (const element of document.querySelectorAll("main, main *")) {
    if (!isSeen(element) || element.closest("svg")) continue;
    const box = element.getBoundingClientRect();
    if (box.width && (box.left < -1 || box.right > width + 1) && !element.closest(".strip, .track")) {
      wrong.push(`out of the page: ${name(element)}`);
    }
    const style = getComputedStyle(element);
    // Marks on an axis may extend into the margins at its ends, but not beyond the strip around it.
    const isMark = element.parentElement.closest(".strip, .track") || element.closest(".box");
    const isBox = style.display !== "inline" && element.clientWidth > 0 && !isMark;
    if (isBox && element.scrollWidth > element.clientWidth + 1) {
      wrong.push(`wider than its box: ${name(element)} ${element.scrollWidth} of ${element.clientWidth}`);
    }
    if (isBox && style.overflowY !== "visible" && element.scrollHeight > element.clientHeight + 1) {
      wrong.push(`higher than its box: ${name(element)} ${element.scrollHeight} of ${element.clientHeight}`);
    }
    for (const node of element.childNodes) {
      if (node.nodeType !== Node.TEXT_NODE || !node.data.trim()) continue;
      if (parseFloat(style.fontSize) < 12) wrong.push(`text of ${style.fontSize}: ${name(element)}`);
      const range = document.createRange();
      range.selectNodeContents(node);
      for (const line of range.getClientRects()) {
        if (line.width > 1) texts.push({ line, element, size: parseFloat(style.fontSize) });
      }
    }
  }
  texts.sort((a, b) => a.line.top - b.line.top);
  for (let i = 0; i < texts.length; i++) {
    const a = texts[i];
    for (let j = i + 1; j < texts.length && texts[j].line.top < a.line.bottom - 1; j++) {
      const b = texts[j];
      // Lines of type leave room above and below their letters.
      const across = Math.min(a.line.right, b.line.right) - Math.max(a.line.left, b.line.left);
      const down = Math.min(a.line.bottom, b.line.bottom) - Math.max(a.line.top, b.line.top);
      if (across > 1 && down > 0.4 * Math.min(a.size, b.size)) {
        wrong.push(`overlap: ${name(a.element)} and ${name(b.element)}`);
      }
    }
  }
  return wrong.slice(0, 20);
})();
