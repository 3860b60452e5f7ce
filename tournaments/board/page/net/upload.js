// Files that are sent to the server by HTTP, before a message asks it to use them.

import {identity} from "./identity.js";
import {formatNumber, say} from "../shared/i18n.js";

export const FILES = "/files";
const MOST = 32 * 1024 * 1024;  // bytes; the server may close the connection of a longer file before it answers

export class Upload {
  /**
   * @param {(share: string) => void} tell is called with the share that is sent
   * @param {string} tooLong the key of the words about a file that is too long
   */
  constructor(tell, tooLong) {
    this.tell = tell;
    this.tooLong = tooLong;
    /** @type {XMLHttpRequest | null} the file that is being sent */
    this.sending = null;
  }

  stop() {
    this.sending?.abort();
  }

  /**
   * Sends a file, and returns the name that the server has for it.
   * @param {File} file
   * @returns {Promise<string>}
   */
  send(file) {
    return new Promise((use, refuse) => {
      const request = new XMLHttpRequest(), values = new URLSearchParams({name: file.name, changed: String(Math.floor(file.lastModified / 1000))});
      this.sending = request;
      request.open("POST", `${FILES}?${values}`);
      for (const [name, value] of Object.entries(identity.headers())) request.setRequestHeader(name, value);
      request.upload.addEventListener("progress", ({loaded, total}) => this.tell(say("percent", {number: formatNumber(100 * loaded / (total || 1))})));
      request.addEventListener("load", () => {
        if (request.status === 200) use(JSON.parse(request.responseText).file);
        else refuse(new Error(request.status === 413 ? say(this.tooLong) : request.responseText));
      });
      request.addEventListener("abort", () => refuse(new Error(say("import_stopped"))));
      request.addEventListener("error", () => refuse(new Error(file.size > MOST ? say(this.tooLong) : "")));
      request.addEventListener("loadend", () => { this.sending = null; });
      request.send(file);
    });
  }
}
