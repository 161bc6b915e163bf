import { mkdirSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { recordLife } from './record-life.ts';
import { replayed } from './replay-life.ts';

/**
 * Records so many minutes of a cluster of `berth serve`, plays the recording with `berth simulate --trace`, and
 * compares the nodes of all pods: `npm run -s record:hour -- [--minutes 60] [--seed 1] [--nodes 200] [--folder F]`.
 */
const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    seed: { type: 'string', default: '1' },
    nodes: { type: 'string', default: '200' },
    'pause-millis': { type: 'string', default: '2000' },
    folder: { type: 'string', default: 'build/recorded' },
  },
});
mkdirSync(values.folder, { recursive: true });
const [seed, minutes] = [Number(values.seed), Number(values.minutes)];
const [nodes, pauseMillis] = [Number(values.nodes), Number(values['pause-millis'])];
const { file, taken } = await recordLife({ seed, minutes, nodes, pauseMillis, folder: values.folder });
process.stdout.write(`${file}: ${minutes} minutes, seed ${seed}, ${nodes} nodes\n`);
process.stdout.write(`${[...taken].map(([action, count]) => `${count} ${action}`).join(', ')}\n`);
const { placements, exit } = await replayed(file);
process.stdout.write(`${JSON.stringify(placements, null, 2)}\n`);
process.exitCode = exit;
