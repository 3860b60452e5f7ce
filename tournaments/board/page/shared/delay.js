// An action that runs once, a while after it was asked for.

export class Delay {
  /**
   * @param {() => void} act
   * @param {number} wait in milliseconds
   */
  constructor(act, wait) {
    this.act = act;
    this.wait = wait;
    /** @type {ReturnType<typeof setTimeout> | undefined} set while the action waits */
    this.timer = undefined;
  }

  // The action is to run; where it waits already, it runs at the time that was set first.
  start() {
    this.timer ??= setTimeout(() => this.run(), this.wait);
  }

  // The action is to run, and the whole time begins again.
  restart() {
    this.cancel();
    this.start();
  }

  cancel() {
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  // The action runs now, and not again later.
  run() {
    this.cancel();
    this.act();
  }
}
