// The address of the page while a study is shown. Safari allows 100 changes of it in 30 seconds, and a held key steps
// through a line faster than that: after many changes at once, the next ones are written a moment later.

import {Delay} from "../shared/delay.js";

const AT_ONCE = 30;  // changes that are written at once
const GAP = 500;     // milliseconds until another one may be
const WALK = "walk";

// Whether this address was left while a proof was walked: it leads back to the review, from which the walk came.
export const leadsToReview = () => history.state === WALK;

export class Address {
  constructor() {
    this.wanted = "";
    this.written = "";
    this.isWalk = this.wasWalk = false;  // beside each of them
    this.left = AT_ONCE;  // how many changes may be written at once now, and at `countedAt`
    this.countedAt = performance.now();
    this.writing = new Delay(() => this.write(), GAP);
  }

  /**
   * @param {string} address of what is shown now
   * @param {boolean} isWalk whether it is where a proof that is shown left a reviewed line, see `leadsToReview`
   */
  set(address, isWalk = false) {
    if (address === this.written && isWalk === this.wasWalk && !this.wanted) return;
    this.wanted = address;
    this.isWalk = isWalk;
    const now = performance.now();
    this.left = Math.min(AT_ONCE, this.left + (now - this.countedAt) / GAP);
    this.countedAt = now;
    if (this.left < 1) this.writing.start();
    else this.writing.run();
  }

  write() {
    if (!this.wanted) return;
    history.replaceState(this.isWalk ? WALK : null, "", this.wanted);
    this.left -= 1;
    this.written = this.wanted;
    this.wasWalk = this.isWalk;
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
