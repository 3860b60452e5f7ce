// What this browser remembers, under one key that no release changes: preferences only, never a game.

const KEY = "tengen";

function read() {
  try {
    return JSON.parse(localStorage.getItem(KEY)) ?? {};
  } catch {
    return {};  // a browser may refuse storage, or hold what another program wrote
  }
}

const values = read();

export const preference = (name, otherwise) => values[name] ?? otherwise;

export function setPreference(name, value) {
  values[name] = value;
  try {
    localStorage.setItem(KEY, JSON.stringify(values));
  } catch {
    // Then it holds until the page is closed.
  }
}
