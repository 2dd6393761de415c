/**
 * Shares room among wants: nobody gets more than it wants, what one leaves over goes to the others, and the others get
 * equal parts.
 */
export function share(wants: readonly number[], room: number): number[] {
  const shares = wants.map(() => 0);
  let open = wants.map((_, index) => index);
  let left = room;
  while (open.length > 0 && left > 0) {
    const part = Math.floor(left / open.length);
    if (part === 0) break;
    const sated = open.filter((index) => (wants[index] as number) <= part);
    if (sated.length === 0) {
      for (const index of open) shares[index] = part;
      break;
    }
    for (const index of sated) {
      shares[index] = wants[index] as number;
      left -= wants[index] as number;
    }
    open = open.filter((index) => !sated.includes(index));
  }
  return shares;
}
