// Numbers as text, what is not known as a dash; and the sum of counts.
const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
const short = new Intl.NumberFormat("en", { maximumSignificantDigits: 3 });
const NONE = "–";

const known = (write) => (value) => (value === null || value === undefined || Number.isNaN(value) ? NONE : write(value));

export const count = known((value) => whole.format(value));
export const rate = known((value) => (value >= 100 ? whole : short).format(value));
export const decimal = known((value) => short.format(value));
export const percent = known((value) => `${(100 * value).toFixed(1)} %`);
export const byteUnit = (value) => (value < 1024 ? 1 : value < 1024 ** 2 ? 1024 : value < 1024 ** 3 ? 1024 ** 2 : 1024 ** 3);
export const bytes = known((value) => {
  const unit = byteUnit(value);
  return `${short.format(value / unit)} ${{ 1: "B", 1024: "KiB", [1024 ** 2]: "MiB", [1024 ** 3]: "GiB" }[unit]}`;
});
export const seconds = known((value) =>
  value === 0 ? "0" : value < 0.001 ? `${short.format(1e6 * value)} µs` : value < 1 ? `${short.format(1e3 * value)} ms` : `${short.format(value)} s`);
export const clock = known((value) => new Date(1000 * value).toLocaleTimeString("en-GB"));
export const moment = known((value) => new Date(1000 * value).toLocaleString("en-GB"));
export const score = (metric) => (metric === "accuracy" ? percent : decimal);
export const sum = (counts) => Object.values(counts).reduce((a, b) => a + b, 0);
