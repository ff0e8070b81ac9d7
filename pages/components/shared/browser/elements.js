// Elements of the page. Words are set as text, never as markup.

/**
 * An element of this tag and class with these words, as the last one of its parent where there is one.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {string} [kind]
 * @param {Element | null} [parent]
 * @param {string} [words]
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function make(tag, kind, parent, words) {
  const made = document.createElement(tag);
  if (kind) made.className = kind;
  if (words !== undefined) made.textContent = words;
  parent?.append(made);
  return made;
}

/**
 * A button that a screen reader knows by its title.
 * @param {Element} parent
 * @param {string} kind
 * @param {string} words
 * @param {string} title
 * @param {(event: MouseEvent) => void} act
 */
export function button(parent, kind, words, title, act) {
  const made = make("button", kind, parent, words);
  made.type = "button";
  if (title) {
    made.title = title;
    made.setAttribute("aria-label", title);
  }
  made.addEventListener("click", act);
  return made;
}

/**
 * A button that shows its key. It lets go of the keyboard when it was clicked, so that keys go on acting on the page.
 * @param {Element} parent
 * @param {string} kind
 * @param {string} name
 * @param {string} key
 * @param {(event: MouseEvent) => void} act
 */
export function keyButton(parent, kind, name, key, act) {
  const made = make("button", kind, parent);
  made.type = "button";
  make("span", "", made, name);
  if (key) make("kbd", "", made, key);
  made.addEventListener("click", (event) => {
    act(event);
    made.blur();
  });
  return made;
}
