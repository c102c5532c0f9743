// The connection to the server: its state in a line, attempts to connect again, and the token that it may ask for.
import { Refused, listen, token } from "./stream.js";

const $ = (id) => document.getElementById(id);
const WAIT = [1, 2, 5, 10]; // seconds before the next attempts to connect
const NEEDED = "This server needs a token with the scope read.";

export class Connection {
  // hear(kind, content): called for every event; close(): what the page shows is not to be seen without a token;
  // gone(): the model that was asked for is no longer there
  constructor({ hear, close, gone }) {
    Object.assign(this, { hear, close, gone, stop: null, address: "/events" });
    $("login").addEventListener("submit", (event) => this.login(event));
    $("forget").addEventListener("click", () => {
      token.forget();
      this.open(this.address);
    });
  }

  // Listen to an address, and to no other.
  async open(address) {
    this.stop?.abort();
    this.address = address;
    const { signal } = (this.stop = new AbortController());
    for (let attempt = 0; !signal.aborted; attempt += 1) {
      try {
        await listen(this.address, (kind, content) => {
          attempt = 0;
          if (!signal.aborted) this.heard(kind, content);
        }, signal);
      } catch (error) {
        if (signal.aborted) return;
        if (error instanceof Refused && error.status === 401) {
          this.askForToken();
          return;
        }
        if (error instanceof Refused && error.status === 404) this.address = this.gone();
        else this.status(error instanceof Refused ? error.message : "Connection lost; trying again", true);
      }
      await new Promise((done) => setTimeout(done, 1000 * WAIT[Math.min(attempt, WAIT.length - 1)]));
    }
  }

  heard(kind, content) {
    this.status("Connected");
    $("login").hidden = true;
    this.hear(kind, content);
  }

  status(text, lost = false) {
    if ($("status").textContent !== text) $("status").textContent = text;
    $("status").classList.toggle("lost", lost);
    $("forget").hidden = !token.get();
  }

  askForToken() {
    this.close();
    $("login-why").textContent = token.get() ? "The server refused this token. It needs one with the scope read." : NEEDED;
    token.forget();
    $("login").hidden = false;
    this.status("A token is needed", true);
    $("token").focus();
  }

  login(event) {
    event.preventDefault();
    token.set($("token").value.trim());
    $("token").value = "";
    $("login").hidden = true;
    this.status("Connecting…");
    this.open(this.address);
  }
}
