// The verdicts and the states that they lead to.

/**
 * Name, key, sign, what is said of one, and the state after it.
 * @type {Record<string, [string, string, string, string, string]>}
 */
export const VERDICTS = {
  approve: ["Approve", "A", "✓", "Approved", "approved"],
  reject: ["Reject", "X", "✕", "Rejected", "rejected"],
  unsure: ["Unsure", "S", "?", "Marked unsure", "unsure"],
};
/** @type {Record<string, string>} */
export const ICONS = { approved: "✓", rejected: "✕", unsure: "?", superseded: "↷", proposed: "○" };
