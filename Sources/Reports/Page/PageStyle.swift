/// The page's style sheet and its one script, which shows an element's title where it is touched.
enum PageStyle {
  // Colours after Okabe and Ito (2008), which people with colour blindness can tell apart.
  static let css = """
    :root{color-scheme:light dark;--back:#fff;--card:#f6f7f9;--ink:#16181d;--dim:#565d6b;\
    --grid:#d5d9e0;--calm:#a9b2c0;--rule:#b3261e;--c0:#0072b2;--c1:#d55e00;--c2:#009e73;\
    --c3:#b1548c;--c4:#8a6d00;--c5:#2f8fc7;--c6:#6b6f76;--c7:#3d3d9e;--c8:#7a4a2b}
    @media (prefers-color-scheme:dark){:root{--back:#111318;--card:#1a1d24;--ink:#e9ecf2;\
    --dim:#a3abba;--grid:#343a46;--calm:#5b6575;--rule:#ff8a80;--c0:#5ab4e8;--c1:#ff9450;\
    --c2:#3fd0a4;--c3:#e79ac8;--c4:#e5c646;--c5:#8fd0f5;--c6:#b4b8bf;--c7:#a9a9ff;--c8:#c9a083}}
    *{box-sizing:border-box}
    body{margin:0;background:var(--back);color:var(--ink);font:16px/1.5 system-ui,sans-serif}
    main{max-width:1360px;margin:0 auto;padding:16px}
    h1{font-size:1.6rem;margin:.2em 0}h2{font-size:1.15rem;margin:1.2em 0 .4em}
    .lead{color:var(--dim);margin:0}a{color:var(--rule)}
    .pictures{display:grid;gap:16px;grid-template-columns:repeat(auto-fit,minmax(min(100%,480px),1fr));\
    margin-top:20px;align-items:start}
    figure{margin:0;padding:12px;background:var(--card);border-radius:10px;min-width:0}
    figcaption{font-weight:600;margin-bottom:6px;overflow-wrap:anywhere}
    svg{display:block;width:100%;height:auto}
    svg text{font:12.5px system-ui,sans-serif;fill:var(--ink)}
    @media (max-width:520px){svg text{font-size:15px}}
    svg .label{fill:var(--dim)}svg .axis{fill:var(--ink)}
    svg .middle{text-anchor:middle}svg .end{text-anchor:end}
    svg .grid{stroke:var(--grid);stroke-width:1}
    svg .rule{stroke:var(--rule);stroke-width:1.5;stroke-dasharray:5 3}
    svg .rulelabel{fill:var(--rule);paint-order:stroke;stroke:var(--card);stroke-width:4px}
    svg .open{fill:none;stroke-width:1.8}svg .open circle{fill:var(--card)}
    svg .series{fill:none;stroke-width:2.2;stroke-linejoin:round}
    .legend{display:flex;flex-wrap:wrap;gap:4px 14px;list-style:none;margin:6px 0;padding:0;\
    font-size:.85rem;color:var(--dim)}
    .key{display:inline-block;width:.75em;height:.75em;border-radius:2px;margin-right:.4em}
    .scroll{overflow-x:auto;max-width:100%}
    table{border-collapse:collapse;font-size:.85rem;font-variant-numeric:tabular-nums}
    th,td{padding:4px 10px;text-align:right;border-bottom:1px solid var(--grid);white-space:nowrap}
    thead th{color:var(--dim);font-weight:500;vertical-align:bottom}
    thead small{display:block}
    tbody th,thead th:first-child{text-align:left}
    .comparison tbody th{font-weight:600;background:linear-gradient(to top,var(--c1) 3px,transparent 3px)\
     0 100%/var(--share) 100% no-repeat}
    .facts td{text-align:left;white-space:normal;overflow-wrap:anywhere}
    .facts{margin:10px 0}.warnings{color:var(--rule);padding-left:1.2em}
    @media (max-width:520px){tbody th{white-space:normal;overflow-wrap:anywhere;min-width:11em;max-width:45vw;\
    position:sticky;left:0;background-color:var(--back)}figure tbody th{background-color:var(--card)}\
    .comparison tbody th{background-color:var(--back)}}
    details{margin-top:6px;font-size:.9rem}summary{cursor:pointer;color:var(--dim)}
    details .scroll{max-height:320px;overflow:auto}
    footer{color:var(--dim);font-size:.85rem;margin-top:24px}
    #tip{position:fixed;z-index:2;max-width:min(320px,90vw);padding:6px 10px;border-radius:6px;\
    background:var(--ink);color:var(--back);font-size:.85rem;pointer-events:none}
    """

  static let script = """
    (function(){const tip=document.getElementById("tip");
    function show(event){const mark=event.target.closest("svg *");
    const title=mark&&(mark.closest(".open")||mark).querySelector(":scope>title");
    if(!title){tip.hidden=true;return}
    tip.textContent=title.textContent;tip.hidden=false;
    const box=tip.getBoundingClientRect();
    tip.style.left=Math.max(4,Math.min(event.clientX+12,innerWidth-box.width-4))+"px";
    tip.style.top=Math.max(4,event.clientY-box.height-12)+"px"}
    addEventListener("pointermove",show);addEventListener("pointerdown",show);
    addEventListener("scroll",function(){tip.hidden=true},{passive:true});})();
    """
}
