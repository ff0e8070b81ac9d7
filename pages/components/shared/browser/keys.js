// Keys that act on what is on screen: none while somebody types, holds a modifier or has a dialog open.

const TYPING = "input, textarea, select, [contenteditable], [role=combobox], [role=grid], [role=listbox]";

/**
 * The key of an event, small if it is a letter; "" where it is not meant for the page.
 * @param {KeyboardEvent} event
 * @param {(key: string, target: Element) => boolean} [alsoWhileTyping] keys that act although somebody types there
 */
export function pageKey(event, alsoWhileTyping = () => false) {
  const target = event.target instanceof Element ? event.target : null;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (target?.closest(TYPING) && !alsoWhileTyping(key, target)) return "";
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return "";
  return document.querySelector("[role=dialog]") ? "" : key;
}
