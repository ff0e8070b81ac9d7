// Elements of the page. Words are set as text, never as markup.

function make(tag, kind, parent, words) {
  const made = document.createElement(tag);
  if (kind) made.className = kind;
  if (words !== undefined) made.textContent = words;
  parent?.append(made);
  return made;
}

function button(parent, kind, words, title, act) {
  const made = make("button", kind, parent, words);
  made.type = "button";
  made.title = title;
  made.setAttribute("aria-label", title);
  made.addEventListener("click", act);
  return made;
}

function inside(element, root) {
  const own = element.getBoundingClientRect(), all = root.getBoundingClientRect();
  return [own.left - all.left, own.top - all.top, own.right - all.left, own.bottom - all.top];
}

function sample(colour, dashes) {
  const canvas = make("canvas", "gx-sample");
  canvas.width = 44;
  canvas.height = 12;
  const pen = canvas.getContext("2d");
  pen.scale(2, 2);
  pen.setLineDash(dashes);
  pen.strokeStyle = colour;
  pen.lineWidth = 2;
  pen.beginPath();
  pen.moveTo(0, 3);
  pen.lineTo(22, 3);
  pen.stroke();
  return canvas;
}
