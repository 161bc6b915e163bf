import { arch, cpus, platform, totalmem } from 'node:os';
import type { Machine } from './result.ts';

export function describeMachine(): Machine {
  const cores = cpus();
  return {
    cpu: cores[0]?.model.trim() ?? 'unknown',
    cores: cores.length,
    memoryBytes: totalmem(),
    node: process.version,
    platform: `${platform()} ${arch()}`,
  };
}

/** The peak resident set size of this process so far. */
export function peakRssBytes(): number {
  // Node reports kibibytes.
  return process.resourceUsage().maxRSS * 1024;
}
