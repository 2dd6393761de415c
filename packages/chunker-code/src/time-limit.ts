/** Starts a limit of so many milliseconds; the function that it returns says whether they are over. */
export type TimeLimit = (milliseconds: number) => () => boolean;

/**
 * Over when so much time has passed and the process was at work for as long: what a parser may take does not depend on
 * what else the machine does.
 */
export const startTimeLimit: TimeLimit = (milliseconds) => {
  const start = performance.now();
  const work = process.cpuUsage();
  return () => {
    if (performance.now() - start <= milliseconds) return false;
    const { user, system } = process.cpuUsage(work);
    return (user + system) / 1000 > milliseconds;
  };
};
