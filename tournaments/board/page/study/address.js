// The address of the page while a study is shown. Safari allows 100 changes of it in 30 seconds, and a held key steps
// through a line faster than that: after many changes at once, the next ones are written a moment later.

import {Delay} from "../shared/delay.js";

const AT_ONCE = 30;  // changes that are written at once
const GAP = 500;     // milliseconds until another one may be

export class Address {
  constructor() {
    this.wanted = "";
    this.written = "";
    this.left = AT_ONCE;  // how many changes may be written at once now, and at `countedAt`
    this.countedAt = performance.now();
    this.writing = new Delay(() => this.write(), GAP);
  }

  /** @param {string} address of what is shown now */
  set(address) {
    if (address === this.written && !this.wanted) return;
    this.wanted = address;
    const now = performance.now();
    this.left = Math.min(AT_ONCE, this.left + (now - this.countedAt) / GAP);
    this.countedAt = now;
    if (this.left < 1) this.writing.start();
    else this.writing.run();
  }

  write() {
    if (!this.wanted) return;
    history.replaceState(history.state, "", this.wanted);
    this.left -= 1;
    this.written = this.wanted;
    this.wanted = "";
  }

  // Writes the last address, before the page leads elsewhere.
  settle() {
    this.writing.run();
  }

  // The browser has led elsewhere already: its address is not that of a study.
  drop() {
    this.writing.cancel();
    this.wanted = this.written = "";
  }
}
