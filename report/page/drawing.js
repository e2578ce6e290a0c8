// Shapes and texts on a canvas, in the colors c of a theme.
"use strict";

function path(g, x, y, w, h, r) {
  g.beginPath();
  g.roundRect(x, y, w, h, Math.min(r, w / 2));
}

function hatch(g, color, x, y, w, h) {
  g.save();
  g.beginPath();
  g.rect(x, y, w, h);
  g.clip();
  g.strokeStyle = color;
  g.globalAlpha = 0.28;
  g.beginPath();
  for (let i = x - h; i < x + w; i += 5) { g.moveTo(i, y + h); g.lineTo(i + h, y); }
  g.stroke();
  g.restore();
}

function zigzag(g, color, x, y, h) {
  g.strokeStyle = color;
  g.lineWidth = 1.75;
  g.beginPath();
  g.moveTo(x - 2, y - 1);
  for (let i = 1; i <= 4; i++) g.lineTo(x + (i % 2 ? 2 : -2), y - 1 + ((h + 2) * i) / 4);
  g.stroke();
  g.lineWidth = 1;
}

function fade(g, c, x, w, y, h) {
  const from = Math.max(x, x + w - 22);
  const gradient = g.createLinearGradient(from, 0, x + w, 0);
  gradient.addColorStop(0, transparent(c.paper));
  gradient.addColorStop(1, c.paper);
  g.fillStyle = gradient;
  g.fillRect(from, y - 1, x + w - from + 1.5, h + 2);
  g.strokeStyle = c.error;
  g.setLineDash([2, 2]);
  g.beginPath();
  g.moveTo(x + w - 0.5, y - 1);
  g.lineTo(x + w - 0.5, y + h + 1);
  g.stroke();
  g.setLineDash([]);
}

// transparent returns a color "#rrggbb" that cannot be seen.
const transparent = (color) => (/^#[0-9a-f]{6}$/i.test(color) ? color + "00" : "transparent");

function dots(g, color, x, y, h) {
  g.strokeStyle = color;
  g.lineWidth = 2;
  g.setLineDash([2, 2]);
  g.beginPath();
  g.moveTo(x, y - 1);
  g.lineTo(x, y + h + 1);
  g.stroke();
  g.setLineDash([]);
  g.lineWidth = 1;
}

// glyph paints a mark. Each kind has a shape of its own, not only a color.
function glyph(g, c, kind, x, y) {
  g.fillStyle = kind === "error" ? c.error : kind === "confirmation" || kind === "command" ? c.good : c.faint;
  g.strokeStyle = c.paper;
  g.lineWidth = 1.5;
  g.beginPath();
  switch (kind) {
    case "confirmation":
      g.moveTo(x, y - 6); g.lineTo(x + 6, y); g.lineTo(x, y + 6); g.lineTo(x - 6, y); g.closePath();
      break;
    case "command":
      g.moveTo(x - 4, y - 6); g.lineTo(x + 6, y); g.lineTo(x - 4, y + 6); g.closePath();
      break;
    case "error":
      g.moveTo(x, y - 6); g.lineTo(x + 6.5, y + 5); g.lineTo(x - 6.5, y + 5); g.closePath();
      break;
    case "status":
      g.arc(x, y, 4.5, 0, 7);
      break;
    default:
      g.rect(x - 4, y - 4, 8, 8);
  }
  g.stroke();
  g.fill();
  g.lineWidth = 1;
}

function pin(g, c, severity, x, y, count, strong) {
  const r = strong ? 8.5 : 7;
  g.fillStyle = c[severity];
  g.strokeStyle = c.paper;
  g.lineWidth = 2;
  g.beginPath();
  if (severity === "warning") { g.moveTo(x, y - r - 1); g.lineTo(x + r + 1, y + r - 1); g.lineTo(x - r - 1, y + r - 1); g.closePath(); }
  else if (severity === "note") g.roundRect(x - r + 1, y - r + 1, 2 * r - 2, 2 * r - 2, 3);
  else g.arc(x, y, r, 0, 7);
  g.stroke();
  g.fill();
  g.lineWidth = 1;
  g.fillStyle = c.paper;
  g.textAlign = "center";
  const font = g.font;
  g.font = g.font.replace(/^\d+px/, "bold 10px");
  g.fillText(count > 99 ? "\u2026" : count > 1 ? String(count) : severity === "note" ? "i" : "!", x, y + (severity === "warning" ? 2 : 0.5));
  g.font = font;
}

// clip shortens a text to a width.
function clip(g, text, width) {
  if (text.length > 300) text = text.slice(0, 300);
  if (g.measureText(text).width <= width) return text;
  let low = 0, high = text.length;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (g.measureText(text.slice(0, middle) + "\u2026").width <= width) low = middle;
    else high = middle - 1;
  }
  return low > 0 ? text.slice(0, low) + "\u2026" : "";
}

function headOf(content) {
  return (content?.head || "").slice(0, 300).replace(/\s+/g, " ");
}

function duration(ms, step) {
  const digits = step < 10 ? 3 : step < 100 ? 2 : step < 1000 ? 1 : 0;
  if (ms < 60000) return (ms / 1000).toFixed(digits) + " s";
  const minutes = Math.floor(ms / 60000), seconds = (ms % 60000) / 1000;
  if (minutes < 60) return minutes + ":" + seconds.toFixed(digits).padStart(digits ? 3 + digits : 2, "0");
  return Math.floor(minutes / 60) + "h" + String(minutes % 60).padStart(2, "0");
}
