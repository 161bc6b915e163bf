/**
 * `npm run bench:first-decision -- [--nodes 100000] [--workers 2] [--rounds 40]`: milliseconds until a pod is placed
 * whose signature is new, and the one after it; what of a signature is new, line by line.
 */
import { parseArgs } from 'node:util';
import { firstDecisions } from './core/first-decision.bench.ts';

const { values } = parseArgs({
  options: {
    nodes: { type: 'string', default: '100000' },
    workers: { type: 'string', default: '1' },
    rounds: { type: 'string', default: '40' },
  },
});

const [nodes, workers, rounds] = [Number(values.nodes), Number(values.workers), Number(values.rounds)];
console.log(`${`${nodes} nodes, ${workers} workers; what is new`.padEnd(44)}first ms   second ms`);
for (const { signature, firstMillis, secondMillis } of firstDecisions({ nodes, workers, rounds })) {
  console.log(`${signature.padEnd(44)}${firstMillis.toFixed(3).padStart(8)}${secondMillis.toFixed(3).padStart(12)}`);
}
