import type { Interval } from "./bootstrap.js";

/** `+0.012 [-0.003, +0.027]` */
export function formatInterval({ difference, low, high }: Interval): string {
  return `${signed(difference)} [${signed(low)}, ${signed(high)}]`;
}

function signed(value: number): string {
  const text = value.toFixed(3);
  return value < 0 && Number(text) !== 0 ? text : `+${text.replace("-", "")}`;
}
