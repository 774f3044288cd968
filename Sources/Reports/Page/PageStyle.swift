/// The page's style sheet. Colours are in the palette; patterns and shapes say the same without them.
enum PageStyle {
  static let css = """
    *{box-sizing:border-box}
    body{margin:0;background:var(--ground);color:var(--ink);font:16px/1.5 system-ui,sans-serif;\
    font-variant-numeric:tabular-nums}
    main{max-width:1180px;margin:0 auto;padding:24px 20px 48px;overflow-wrap:anywhere}
    h1{font-size:2rem;line-height:1.2;margin:0 0 .3em;max-width:32em}
    h2{font-size:1.3rem;line-height:1.3;margin:2em 0 .3em}h3{font-size:1.1rem;margin:1.6em 0 .2em}
    .kicker,.lead,.note,footer{color:var(--dim)}.kicker{margin:0 0 .2em}.kicker+*{margin-top:0}
    .lead{margin:0 0 .8em;max-width:52em}.note{font-size:.875rem;margin:.4em 0;max-width:60em}
    .verdict{font-size:1.2rem;margin:0 0 .6em;max-width:46em}.verdict b.pick{color:var(--pick)}
    .verdicts{padding-left:1.2em;margin:.4em 0;max-width:60em}
    .warnings,.deadlocks{padding:.5em 1em .5em 2em;margin:.8em 0;max-width:60em;\
    border-left:4px solid var(--ink);background:var(--raised)}
    .deadlocks{border-color:var(--problem)}
    a{color:var(--pick)}code{font-size:.875rem}
    .chapter+.chapter{border-top:2px solid var(--hair);margin-top:3em;padding-top:1.5em}
    .contents li{margin:.3em 0}
    small{font-size:.8125rem;font-weight:400;color:var(--dim)}
    .problem{color:var(--problem)}.problem+small{color:var(--problem)}
    .badge{display:inline-block;font-size:.75rem;line-height:1.4;font-weight:600;color:var(--dim);\
    border:1px solid currentColor;border-radius:9px;padding:0 7px;white-space:nowrap}
    .badge.best{color:var(--pick)}

    table.strips{border-collapse:collapse;width:100%;margin:1em 0 .4em}
    .strips th,.strips td{padding:7px 8px;border-bottom:1px solid var(--hair);text-align:left;\
    vertical-align:middle}
    .strips thead th{font-size:.8125rem;line-height:1.3;font-weight:400;color:var(--dim);vertical-align:bottom}
    .strips tbody th{font-weight:600;width:19%}.strips tbody th small{display:block}
    .strips .picture{width:38%;padding-left:4px;padding-right:4px}
    .strips .n{text-align:right;overflow-wrap:normal}.one{white-space:nowrap}.strips td.n:last-child small{display:block;white-space:nowrap}
    .strips .label{display:none}
    .strips .pick{background:var(--raised)}

    .strip{position:relative;overflow:hidden;padding:0 7px;touch-action:pan-y}
    .time{position:relative;height:34px;width:calc(100%*var(--zoom,1));\
    left:calc(-100%*var(--zoom,1)*var(--from,0))}
    .time i{position:absolute;display:block}
    .axis .time{height:18px}
    .tick{position:absolute;top:0;font-size:.75rem;line-height:18px;white-space:nowrap;transform:translateX(-50%)}
    .tick.first{transform:none}.tick.last{transform:translateX(-100%)}
    .shown,.key.shown{left:0;top:8px;height:5px;background:var(--frame)}
    .gap,.key.gap{background:var(--problem)}
    .gap{top:calc(10.5px - 9px*var(--height,1));height:calc(18px*var(--height,1));min-width:2px}
    .still .time{height:22px}.still .axis .time{height:18px}
    .intime,.key.intime{width:9px;height:9px;border:2px solid var(--ink);border-radius:50%}
    .intime{top:24px;margin-left:-4.5px}
    .late,.key.late{width:11px;height:11px;background:var(--problem);clip-path:polygon(18% 0,50% 32%,82% 0,100% 18%,\
    68% 50%,100% 82%,82% 100%,50% 68%,18% 100%,0 82%,32% 50%,0 18%)}
    .late{top:23px;margin-left:-5.5px}
    .wait{height:2px;background:var(--problem)}.time .wait{top:28px}
    .wait::after{content:"";position:absolute;right:-1px;top:-4px;width:2px;height:10px;background:var(--problem)}
    .wait.open::after,.key.open{background:var(--problem);clip-path:polygon(0 0,100% 50%,0 100%)}
    .wait.open::after{width:8px;right:-6px}
    .picked{position:absolute;top:0;bottom:0;background:var(--pick);opacity:.25;pointer-events:none}
    .zoom:not([hidden]){display:flex;flex-wrap:wrap;gap:6px;align-items:center;font-size:.8125rem;color:var(--dim)}
    .zoom button{font:inherit;color:var(--ink);background:var(--ground);border:1px solid var(--dim);\
    border-radius:6px;padding:2px 9px;cursor:pointer}

    .legend{display:flex;flex-wrap:wrap;gap:4px 18px;list-style:none;margin:.5em 0;padding:0;\
    font-size:.8125rem;color:var(--dim)}
    .legend li{display:flex;align-items:center;gap:6px}
    .key{display:inline-block;flex:none;width:16px;height:12px;position:relative;margin:0}
    .key.shown,.key.intime,.key.late,.key.gap{top:0;margin:0;bottom:auto}.key.gap{height:14px}
    .key.wait{height:2px;width:20px}.key.open{width:9px;height:11px}

    figure{margin:0}figcaption{font-weight:600}
    .threads{margin:.9em 0;break-inside:avoid}
    .lane{display:grid;grid-template-columns:minmax(7em,15%) 1fr;gap:10px;align-items:center;margin:3px 0}
    .who{text-align:right;font-size:.8125rem;color:var(--dim)}
    .track{position:relative;height:20px;background:var(--raised);overflow:hidden}
    .track i{position:absolute;top:0;bottom:0}
    .screen .track{height:22px;background:none;padding:0;overflow:visible}
    .vsync{width:0;border-left:1px dashed var(--dim)}
    .v{position:absolute;top:2px;display:flex;gap:4px;align-items:center;font-size:.75rem;line-height:18px;\
    transform:translateX(-50%);color:var(--dim)}
    .v i{position:static;width:9px;height:9px;border-radius:50%;background:var(--frame)}
    .v.none{color:var(--problem);font-weight:600}
    .v.none i{border-radius:0;background:var(--problem);clip-path:polygon(18% 0,50% 32%,82% 0,100% 18%,68% 50%,\
    100% 82%,82% 100%,50% 68%,18% 100%,0 82%,32% 50%,0 18%)}
    .k-logic{background:var(--logic);border-right:1px solid var(--ground)}
    .k-drawing{background:var(--drawing)}
    .k-reading{background:repeating-linear-gradient(90deg,var(--reading) 0 3px,var(--ground) 3px 4px)}
    .k-moving{background:repeating-linear-gradient(45deg,var(--moving) 0 4px,var(--ground) 4px 5px)}
    .k-waiting{border:1px solid var(--ink);\
    background:repeating-linear-gradient(135deg,var(--ink) 0 1px,transparent 1px 5px)}
    .k-holding{border:1px solid var(--dim);\
    background:repeating-linear-gradient(0deg,var(--dim) 0 1px,transparent 1px 4px)}

    .limits ul{list-style:none;margin:.6em 0;padding:0}
    .limits li{display:grid;grid-template-columns:minmax(7em,19%) 1fr minmax(12em,25%);gap:10px;align-items:center;\
    margin:5px 0;break-inside:avoid}
    .bar{display:block;height:16px;border-left:1px solid var(--dim)}
    .bar i{display:block;height:100%;min-width:2px;background:var(--frame)}.bar i.best{background:var(--pick)}
    .much{font-size:.875rem;color:var(--dim)}.much b{color:var(--ink)}

    .amounts{list-style:none;margin:.6em 0;padding:0}
    .amounts li{display:grid;grid-template-columns:minmax(7em,30%) 1fr minmax(9em,25%);gap:10px;align-items:center;\
    margin:5px 0;break-inside:avoid}
    .amounts .bar i{min-width:0}.bar i.adding{background:var(--problem)}.bar i.saving{background:var(--frame)}
    .bar.zero{position:relative;border:0}.bar.zero i{position:absolute;top:0;height:100%}
    .bar.zero i.axis{width:1px;background:var(--dim)}
    .bar.zero i.range{height:2px;top:7px;background:var(--ink)}
    .places{display:grid;gap:14px 24px;grid-template-columns:repeat(auto-fit,minmax(min(100%,340px),1fr));margin:.8em 0}
    .places figure{border:1px solid var(--hair);border-radius:8px;padding:10px 14px;break-inside:avoid}
    .places dl{margin:.5em 0}.places dl>div{display:grid;grid-template-columns:minmax(6em,30%) 1fr;gap:10px;\
    align-items:center;border-top:1px solid var(--hair);padding:6px 0}
    .places dt{font-size:.875rem;color:var(--dim)}.places dd{margin:0}
    .places ul{display:flex;flex-wrap:wrap;gap:5px;list-style:none;margin:0;padding:0;font-size:.875rem}
    .places li{border:1px solid var(--hair);border-left:5px solid var(--logic);border-radius:3px;padding:1px 8px}
    .places li.draws{border-left-color:var(--drawing)}
    .places li.moved{border-color:var(--pick);background:var(--raised)}

    .grid{display:grid;gap:18px 24px;grid-template-columns:repeat(auto-fill,minmax(min(100%,200px),1fr))}
    .panel{min-width:0;break-inside:avoid;display:flex;flex-direction:column;justify-content:flex-end}.panel figcaption{font-size:.875rem}
    .plot{position:relative;padding:6px 8px 20px 52px}
    .box{position:relative;height:120px;border-left:1px solid var(--dim);border-bottom:1px solid var(--dim)}
    .box svg{position:absolute;inset:0;width:100%;height:100%;overflow:hidden}
    .box svg *{vector-effect:non-scaling-stroke;fill:none}
    .hair{stroke:var(--hair);stroke-width:1}.other{stroke:var(--frame);stroke-width:1}
    .curve{stroke:var(--ink);stroke-width:2.5}
    .box .band{fill:var(--ink);fill-opacity:.15;stroke:var(--dim);stroke-width:1}
    .heat .box rect{fill:var(--problem)}.heat .box .edged rect{stroke:var(--problem);stroke-width:.6}
    .heat .grid{grid-template-columns:repeat(auto-fill,minmax(min(100%,320px),1fr))}
    .heat .box,.heat .values{height:200px}
    .scale{display:flex;flex-wrap:wrap;gap:4px 16px;font-size:.875rem}
    .scale i{display:inline-block;width:1.2em;height:1.2em;margin-right:6px;vertical-align:-.2em;background:var(--problem)}
    .scale span{white-space:nowrap}
    .scale span:first-child i{opacity:1!important;background:none;border:1px solid var(--dim)}
    .bars{width:100%;font-size:.875rem;table-layout:fixed}.bars th{text-align:left;font-weight:normal}
    .bars th:first-child,.bars .span{width:32%}.bars td{overflow-wrap:normal}
    .bars th[scope=row]{overflow-wrap:anywhere}
    .bars .span div{position:relative;height:1em;min-width:60px}
    .bars i{position:absolute;top:0;bottom:0;min-width:3px;background:var(--ink)}
    .rule{stroke:var(--ink);stroke-width:1;stroke-dasharray:5 3}
    .dot{position:absolute;width:8px;height:8px;margin:-4px;border-radius:50%;background:var(--ink)}
    .dot.bound{background:var(--ground);border:2px solid var(--ink)}
    .dot.bound::after{content:"";position:absolute;left:-1px;top:-9px;width:6px;height:6px;\
    background:var(--ink);clip-path:polygon(50% 0,100% 100%,0 100%)}
    .values span,.ticks span{position:absolute;font-size:.75rem;line-height:1;color:var(--dim);white-space:nowrap}
    .values{position:absolute;left:0;top:6px;width:46px;height:120px}
    .values span{right:0;transform:translateY(-50%)}
    .ticks{position:absolute;left:52px;right:8px;bottom:0;height:16px}
    .ticks span{transform:translateX(-50%);top:3px}
    .ticks .first{transform:none}.ticks .last{transform:translateX(-100%)}

    details{border-top:1px solid var(--hair)}.more details:last-of-type{border-bottom:1px solid var(--hair)}
    summary{cursor:pointer;padding:.5em 0;font-weight:600}
    details>:not(summary){margin-bottom:1em}
    .metrics>div{padding:8px 0;border-bottom:1px solid var(--hair);font-size:.875rem;\
    display:grid;gap:2px 18px;grid-template-columns:repeat(auto-fill,minmax(min(100%,250px),1fr))}
    .metrics dt{grid-column:1/-1;color:var(--dim)}.metrics dt b{color:var(--ink)}
    .metrics{margin:0}.metrics dd{margin:0;display:flex;justify-content:space-between;gap:10px;overflow-wrap:normal}
    .metrics dd span{color:var(--dim);overflow-wrap:anywhere;min-width:0}
    .facts{border-collapse:collapse;font-size:.875rem;margin:0 0 1em}
    .facts th,.facts td{text-align:left;font-weight:400;padding:3px 14px 3px 0;vertical-align:top}
    .facts th{color:var(--dim);min-width:8em}
    footer{font-size:.875rem;margin-top:3em}
    #tip{position:fixed;z-index:2;max-width:min(320px,90vw);padding:6px 10px;border-radius:6px;white-space:pre-line;\
    background:var(--ink);color:var(--ground);font-size:.8125rem;pointer-events:none}

    @media screen and (max-width:760px){
    main{padding:16px 14px 32px}h1{font-size:1.5rem}.verdict{font-size:1.0625rem}
    .strips,.strips tbody,.strips tr{display:block}
    .strips thead{display:block}.strips thead tr{display:block}.strips thead th{display:none}
    .strips thead th.picture{display:block;width:auto;border:0;padding:0 4px}
    .strips.plain thead{display:none}
    .strips tbody tr{display:grid;grid-template-columns:1.15fr 1fr;gap:2px 10px;padding:12px 4px;\
    border-bottom:1px solid var(--hair)}
    .strips tbody th,.strips tbody td{display:block;width:auto;border:0;padding:0}
    .strips tbody th,.strips tbody .picture{grid-column:1/-1;width:auto}
    .strips .n{text-align:left}.strips td.n:last-child{grid-column:1/-1}
    .strips .label{display:inline;color:var(--dim);font-size:.8125rem}
    .k-logic{border:0}.strips td.n:last-child small{display:inline}
    .strips td.n:last-child small+small::before{content:", "}
    .lane{grid-template-columns:1fr;gap:0}.who{text-align:left}.v span{display:none}
    .limits li,.amounts li{grid-template-columns:1fr;gap:1px;margin:10px 0}
    }
    @media print{
    @page{size:A4;margin:14mm}
    body{font-size:11pt}main{max-width:none;padding:0}
    *{print-color-adjust:exact;-webkit-print-color-adjust:exact}
    .zoom,#tip{display:none!important}
    tr,.lane,.legend,.warnings,.deadlocks{break-inside:avoid}h1,h2,h3,figcaption{break-after:avoid}
    thead{display:table-header-group}
    .strips th,.strips td{padding:5px 4px}.strips .picture{width:40%}.strips tbody th{width:18%}
    .strips small{display:block;font-size:.75rem}.zoom{display:none!important}
    }
    """
}

/// The page's colours: each has one meaning, on light and on dark background.
///
/// Only problems are red. Graphics have a contrast of at least 3:1, text 4.5:1. Shapes and words repeat the meaning of every colour.
enum Palette: String, CaseIterable {
  case ground
  /// Behind the advised row.
  case raised
  case ink
  case dim
  /// Thin lines that only guide the eye.
  case hair
  /// No new frame, a late answer, work left.
  case problem
  /// A new frame at each vsync.
  case frame
  case logic
  case drawing
  case reading
  /// Handing work and results over, and copying for it.
  case moving
  case pick

  private var shades: (light: String, dark: String) {
    switch self {
    case .ground: ("#ffffff", "#111318")
    case .raised: ("#eef3fb", "#1b2536")
    case .ink: ("#16181d", "#e9ecf2")
    case .dim: ("#4d5563", "#a9b2c0")
    case .hair: ("#d9dde4", "#343a46")
    case .problem: ("#b3261e", "#ff7f76")
    case .frame: ("#7b8696", "#8a95a6")
    case .logic: ("#c25e00", "#f0a03c")
    case .drawing: ("#43536a", "#c3cfdf")
    case .reading: ("#5f86b3", "#6c9bd1")
    case .moving: ("#7b4fb5", "#b896f2")
    case .pick: ("#1857c4", "#82b4ff")
    }
  }

  var light: String { shades.light }
  var dark: String { shades.dark }

  /// The colours as variables of a style sheet.
  static var css: String {
    func variables(_ color: (Palette) -> String) -> String {
      allCases.map { "--\($0.rawValue):\(color($0))" }.joined(separator: ";")
    }
    return """
      :root{color-scheme:light dark;\(variables(\.light))}
      @media screen and (prefers-color-scheme:dark){:root{\(variables(\.dark))}}
      @media print{:root{color-scheme:light}}

      """
  }
}
