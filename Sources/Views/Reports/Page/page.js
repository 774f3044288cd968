// Labels at the pointer, and zooming into a span of all strips.
(function(){
const tip=document.getElementById("tip");
const known=new Map();
function frames(strip){
  if(known.has(strip))return known.get(strip);
  let last="";
  const list=(strip.dataset.frames||"").split(";").filter(Boolean).map(function(part){
    const cut=part.indexOf(":"),rest=part.slice(cut+1).split(",");
    last=rest[0]||last;
    return{begin:Number(part.slice(0,cut)),phases:last==="-"?"":last,late:Number(rest[1]||0),cause:rest[2]||""}});
  known.set(strip,list);return list}
function second(strip,x){
  const time=strip.querySelector(".time").getBoundingClientRect();
  const to=Number(strip.closest("table").querySelector(".axis .time").dataset.to);
  return{share:(x-time.left)/time.width,at:(x-time.left)/time.width*to}}
function words(strip,x){
  const list=frames(strip),hertz=Number(strip.dataset.hertz);
  const vsync=second(strip,x).at*hertz;
  let low=0,high=list.length-1,found=null;
  while(low<=high){const middle=low+high>>1;
    if(list[middle].begin<=vsync){found=list[middle];low=middle+1}else high=middle-1}
  // A page has only the late frames of a long run.
  if(!found||vsync>=found.begin+found.late+1)return"";
  const lines=found.phases.split(" ").filter(Boolean).map(function(pair){
    const cut=pair.split("=");return phases[cut[0]]+" "+cut[1]+" ms"});
  const late=found.late?"no new frame at "+found.late+(found.late===1?" vsync":" vsyncs")+" because of "+found.cause
    :"on time";
  return["frame at "+(found.begin/hertz).toFixed(3)+" s: "+late].concat(lines).join("\n")}
function show(event){
  const target=event.target.closest?event.target:null;
  const strip=target&&target.closest(".strip[data-frames]");
  const mark=target&&target.closest(".late,.intime,.notdue,.track i,.dot");
  let text="";
  if(mark)text=mark.dataset.words||mark.title;
  else if(strip)text=words(strip,event.clientX);
  if(mark&&mark.title){mark.dataset.words=mark.title;mark.removeAttribute("title")}
  const gap=target&&target.closest(".gap");if(gap)gap.removeAttribute("title");
  tip.hidden=!text;if(!text)return;
  tip.textContent=text;
  const box=tip.getBoundingClientRect();
  tip.style.left=Math.max(4,Math.min(event.clientX+12,innerWidth-box.width-4))+"px";
  const above=event.clientY-box.height-12;
  tip.style.top=(above<4?event.clientY+18:above)+"px"}
addEventListener("pointermove",show);
addEventListener("scroll",function(){tip.hidden=true},{passive:true});

document.querySelectorAll(".chapter").forEach(function(chapter){
  const bar=chapter.querySelector(".zoom");
  if(!bar||!chapter.querySelector(".strip[data-frames],.late,.intime,.notdue"))return;
  bar.hidden=false;
  let zoom=1,from=0,start=null;
  function ticks(axis){
    const to=Number(axis.dataset.to);
    if(!axis.dataset.whole)axis.dataset.whole=axis.innerHTML;
    if(zoom===1){axis.innerHTML=axis.dataset.whole;return}
    const span=to/zoom,power=Math.pow(10,Math.floor(Math.log10(span/4)));
    const step=[1,2,5,10].map(function(n){return n*power}).find(function(n){return span/n<=6});
    const places=Math.max(0,-Math.floor(Math.log10(step)));
    axis.textContent="";
    for(let n=Math.ceil(from*to/step);n*step<=from*to+span*1.0001;n++){
      const label=document.createElement("span"),at=(n*step-from*to)/span;
      label.className="tick"+(at<.06?" first":at>.94?" last":"");
      label.style.left=100*n*step/to+"%";label.textContent=(n*step).toFixed(places)+" s";axis.append(label)}}
  function look(nextFrom,nextZoom){
    zoom=Math.min(400,Math.max(1,nextZoom));from=Math.min(1-1/zoom,Math.max(0,nextFrom));
    chapter.style.setProperty("--zoom",zoom);chapter.style.setProperty("--from",from);
    chapter.querySelectorAll(".axis .time").forEach(ticks)}
  bar.addEventListener("click",function(event){
    const what=event.target.dataset.zoom,width=1/zoom;
    if(what==="in")look(from+width/4,zoom*2);
    if(what==="out")look(from-width/2,zoom/2);
    if(what==="left")look(from-width/2,zoom);
    if(what==="right")look(from+width/2,zoom);
    if(what==="all")look(0,1)});
  const shade=document.createElement("div");shade.className="picked";
  chapter.addEventListener("pointerdown",function(event){
    const strip=event.target.closest(".strip");
    if(!strip||event.button)return;
    start={strip:strip,x:event.clientX};strip.append(shade);shade.style.width="0";event.preventDefault()});
  addEventListener("pointermove",function(event){
    if(!start)return;
    const box=start.strip.getBoundingClientRect();
    const left=Math.max(box.left,Math.min(start.x,event.clientX));
    const right=Math.min(box.right,Math.max(start.x,event.clientX));
    shade.style.left=left-box.left+"px";shade.style.width=Math.max(0,right-left)+"px"});
  addEventListener("pointerup",function(event){
    if(!start)return;
    const a=second(start.strip,Math.min(start.x,event.clientX)).share;
    const b=second(start.strip,Math.max(start.x,event.clientX)).share;
    if(Math.abs(event.clientX-start.x)>5)look(a,1/(Math.min(1,b)-Math.max(0,a)));
    start=null;shade.remove()});
  chapter.addEventListener("dblclick",function(event){if(event.target.closest(".strip"))look(0,1)})});
})();
