// How this browser proves to the server that it is the owner's, by the token of the link that the server prints, or which
// guest it is, by a key, so that a seat belongs to the browser that took it. Both are kept in the storage of this origin,
// because pages of other ports cannot read or write it; and by library, because this port may serve another one later.

/** @typedef {{owner?: string, guest?: string}} Kept */

const PROTOCOL_NAME = "tengen";  // the server agrees on it: a browser needs an answer to the protocols that it offers
const FORBIDDEN = 403;
const WAITS = [300, 700, 1500, 3000, 5000];  // milliseconds between two tries, while no server answers

export class Identity {
  constructor() {
    this.library = "";
    /** @type {Kept} the values until the page is closed, if the browser refuses storage */
    this.held = {};
    this.isRefused = false;  // the address had a token that is not this server's
  }

  get place() {
    return `${PROTOCOL_NAME}-${this.library}`;
  }

  /** @returns {Kept} */
  read() {
    try {
      const kept = JSON.parse(localStorage.getItem(this.place) ?? "{}");
      const names = ["owner", "guest"].filter(name => isKey(kept[name]));
      return {...this.held, ...Object.fromEntries(names.map(name => [name, kept[name]]))};
    } catch {
      return this.held;  // a browser may refuse storage, or hold what another program wrote
    }
  }

  /** @param {Kept} more */
  keep(more) {
    try {
      localStorage.setItem(this.place, JSON.stringify({...this.read(), ...more}));
    } catch {
      this.held = {owner: more.owner ?? this.held.owner};  // no key: the link to a seat then opens it again
    }
  }

  /**
   * Takes the token of the server's link from the address, if it is the right one.
   * @param {string} library which one is served here
   * @param {string} hash
   * @param {() => void} [miss] is called if no server answers; then this tries again until one does
   */
  async introduce(library, hash, miss = () => {}) {
    this.library = library;
    const owner = /^#token=(.+)$/.exec(hash)?.[1];
    if (owner) {
      this.isRefused = !await isRight(owner, miss);
      if (!this.isRefused) this.keep({owner});
    }
    if (!this.read().guest) this.keep({guest: makeKey()});
  }

  get isOwners() {
    return Boolean(this.read().owner);
  }

  // The protocols to offer with a new WebSocket. They are read anew each time: another page may have become the owner's.
  protocols() {
    const {owner, guest} = this.read();
    return [PROTOCOL_NAME, ...owner ? [`owner.${owner}`] : [], ...guest ? [`guest.${guest}`] : []];
  }

  /** @returns {Record<string, string>} the headers of a request by HTTP */
  headers() {
    const {owner} = this.read();
    return owner ? {Authorization: `Bearer ${owner}`} : {};
  }
}

/**
 * Whether the server says that this is its token.
 * @param {string} token
 * @param {() => void} miss
 */
async function isRight(token, miss) {
  for (let tries = 0; ; tries++) {
    const answer = await fetch("/token", {method: "POST", body: JSON.stringify({token})}).catch(() => null);
    if (answer?.ok || answer?.status === FORBIDDEN) return answer.ok;
    if (!tries) miss();
    await new Promise(go => setTimeout(go, WAITS[Math.min(tries, WAITS.length - 1)]));
  }
}

/** @param {unknown} value */
const isKey = value => typeof value === "string" && /^[\w-]{20,}$/.test(value);

const makeKey = () => [...crypto.getRandomValues(new Uint8Array(32))].map(byte => byte.toString(16).padStart(2, "0")).join("");

export const identity = new Identity();
