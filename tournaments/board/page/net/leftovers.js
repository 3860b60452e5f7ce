// Values that the server had not taken when their page was left. The browser keeps them until the next page takes them.

import {identity} from "./identity.js";

export class Leftovers {
  /**
   * @param {string} name of the kind of values
   * @param {() => Storage} storage that keeps them; a browser may refuse it
   * @param {number} lifetime in milliseconds; older values are forgotten
   */
  constructor(name, storage, lifetime = Infinity) {
    this.name = name;
    this.storage = storage;
    this.lifetime = lifetime;
    this.page = crypto.getRandomValues(new Uint32Array(2)).join("-");  // two pages may be left at the same time
    this.hasLeft = false;
  }

  // The names of all places with values of this kind begin so. Another server at this address has its own.
  get start() {
    return `${identity.place}-left-${this.name}-`;
  }

  // The names of this page's places begin so.
  get own() {
    return `${this.start}${this.page}-`;
  }

  /**
   * Keeps the values of this page instead of those that it has left before.
   * @param {unknown[]} values that JSON can hold
   */
  leave(values) {
    this.stay();
    // Each value has a place of its own. If a large one does not fit into the storage, the others still do.
    for (const [index, value] of values.entries()) {
      try {
        this.storage().setItem(this.own + index, JSON.stringify({at: Date.now(), value}));
        this.hasLeft = true;
      } catch { /* then this one ends with the page */ }
    }
  }

  // The page was left, and is shown again as it was. False if another page has taken its values meanwhile.
  stay() {
    const {hasLeft} = this;
    this.hasLeft = false;
    return this.remove(name => name.startsWith(this.own)).length > 0 || !hasLeft;
  }

  /**
   * Takes what other pages have left, the values of each in their order. Each value is taken once.
   * @returns {unknown[]}
   */
  take() {
    const isOthers = (/** @type {string} */ name) => name.startsWith(this.start) && !name.startsWith(this.own);
    return this.remove(isOthers).flatMap(text => read(text, this.lifetime));
  }

  /**
   * Removes the places with such names, and returns their texts.
   * @param {(name: string) => boolean} isWanted
   */
  remove(isWanted) {
    try {
      const storage = this.storage(), names = Array.from({length: storage.length}, (_, index) => storage.key(index) ?? "");
      return names.filter(isWanted).sort(byNumber).map(name => {
        const text = storage.getItem(name) ?? "";
        storage.removeItem(name);
        return text;
      });
    } catch {
      return [];
    }
  }
}

/**
 * @param {string} one
 * @param {string} other
 */
const byNumber = (one, other) => one.localeCompare(other, "en", {numeric: true});

/**
 * The value of a place; none if it is too old, or if another program wrote it.
 * @param {string} text
 * @param {number} lifetime
 * @returns {unknown[]}
 */
function read(text, lifetime) {
  try {
    const {at, value} = JSON.parse(text);
    return Math.abs(Date.now() - at) <= lifetime ? [value] : [];
  } catch {
    return [];
  }
}
