// Server-sent events by fetch: unlike EventSource it can send the token in a header, so that it is never in an address.
const KEY = "kernelstream-token";

export const token = {
  get: () => sessionStorage.getItem(KEY),
  set: (value) => sessionStorage.setItem(KEY, value),
  forget: () => sessionStorage.removeItem(KEY),
};

export class Refused extends Error {
  constructor(status, sentence) {
    super(sentence);
    this.status = status;
  }
}

// Calls hear(kind, content) for every event until the stream ends or `signal` aborts it.
export async function listen(address, hear, signal) {
  const headers = token.get() ? { authorization: `Bearer ${token.get()}` } : {};
  const answer = await fetch(address, { headers, signal, cache: "no-store" });
  if (!answer.ok) {
    const body = await answer.json().catch(() => ({}));
    throw new Refused(answer.status, body.error ?? `The server answered ${answer.status}.`);
  }
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const parts = (text + value).split("\n\n");
    text = parts.pop();
    for (const part of parts) {
      const kind = /^event: (.*)$/m.exec(part)?.[1];
      const data = /^data: (.*)$/m.exec(part)?.[1];
      if (kind && data) hear(kind, JSON.parse(data));
    }
  }
}
