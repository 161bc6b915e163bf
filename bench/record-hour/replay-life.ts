import type { Placements } from '../../src/simulation/trace/placements.ts';
import { berthOutput } from './record-life.ts';

/** Plays a recording with `berth simulate --trace`. The exit code is 0 when all pods got their recorded nodes. */
export async function replayed(file: string): Promise<{ placements: Placements; exit: number }> {
  const { stdout } = await berthOutput('simulate', '--trace', file, '--allow-pending', '--output', 'json');
  const { placements } = JSON.parse(stdout) as { placements: Placements };
  return { placements, exit: placements.differences.length === 0 ? 0 : 2 };
}
