// Preloaded into a measured process: writes its CPU seconds and peak memory when it ends.
import { writeFileSync } from "node:fs";

process.on("exit", () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  const usage = { cpu: (userCPUTime + systemCPUTime) / 1e6, rss: maxRSS / 1e3 };
  writeFileSync(process.env.USAGE_FILE, JSON.stringify(usage));
});
