// What the web site's search-index.js says: label, id, category, number of statements and file of each thing.
declare const THINGS: [string, string, string, number, string][];
