/** node --import tsx examples/fragmentation-gradient/run.ts NODES.csv PODS.csv */
import { readFileSync } from 'node:fs';
import { openbCluster } from '../../src/simulation/input/openb.ts';
import { inflate, POLICIES } from './inflation.ts';

const SEEDS = [1, 2, 3];
const DEMANDS = [0.8, 0.9, 1, 1.1, 1.2];

const [nodes = '', pods = ''] = process.argv.slice(2);
const read = (name: string) => ({ name, text: readFileSync(name, 'utf8') });
const cluster = openbCluster(read(nodes), read(pods));
const percent = (share: number): string => `${(share * 100).toFixed(1)} %`.padStart(8);

console.log(`${cluster.nodes.length} nodes, tasks drawn from ${cluster.pods.length}, mean of ${SEEDS.length} draws`);
console.log(`GPUs allocated when this was asked for:${DEMANDS.map(percent).join('')}`);
for (const policy of POLICIES) {
  const runs = SEEDS.map((seed) => inflate(cluster, policy, seed, DEMANDS));
  const means = DEMANDS.map((_, i) => runs.reduce((sum, run) => sum + (run[i]?.allocated ?? 0), 0) / runs.length);
  console.log(`${policy.padEnd(39)}${means.map(percent).join('')}`);
}
