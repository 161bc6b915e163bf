/**
 * How many schedulers pay? Runs clusters of a store, informers and several schedulers on a virtual clock until all pods
 * are bound, and prints a row for each: throughput, conflicts, and how long the run took.
 *
 *   npm run bench:schedulers -- NODES SHARD COUNTS [PODS] [RULE]
 *   npm run bench:schedulers -- 10000 pods 1,2,4,8 5000 pack
 */
import { checkConfiguration } from '../../src/caller/load-configuration.ts';
import { Informers } from '../../src/client/informer/informers.ts';
import { VirtualEventLoop } from '../../src/lib/event-loop.ts';
import { Prng } from '../../src/lib/prng.ts';
import { SchedulerShards, type ShardingOptions } from '../../src/scheduler/shards/scheduler-shards.ts';
import { storeApi } from '../../src/scheduler/store-api.ts';
import { shapedNodes } from '../../src/simulation/node-shape.ts';
import { RandomNames } from '../../src/store/objects/names.ts';
import { Store } from '../../src/store/store.ts';

const TIMES = { decisionMillis: 0.5, decisionMillisPerNode: 50e-6, commitMillis: 0.2 };
const RULES: Readonly<Record<string, string>> = { spread: 'LeastAllocated', pack: 'MostAllocated' };
const LIMIT_MILLIS = 24 * 3_600_000;

interface Bench extends Pick<ShardingOptions, 'by' | 'count'> {
  readonly nodes: number;
  readonly pods: number;
  readonly rule: string;
}

function play({ nodes, pods, by, count, rule }: Bench): readonly (string | number)[] {
  const cpuBefore = process.cpuUsage();
  const loop = new VirtualEventLoop();
  const store = new Store({ clock: loop, names: new RandomNames(new Prng(1)) }, {});
  const reportError = (error: unknown): void => {
    throw error;
  };
  const informers = new Informers(store, { loop, prng: new Prng(2), reportError });
  const newModules = () => ({ api: storeApi(store), recorder: { event: () => {} }, reportError });
  const sharding = { count, by, ...TIMES };
  const scheduler = { configuration: configurationOf(rule), seed: 1 };
  const shards = new SchedulerShards({ loop, store, informers, newModules }, sharding, scheduler);
  for (const node of shapedNodes(nodes, ['cpu=32,memory=256Gi,pods=110'])) store.create('nodes', node);
  shards.start();
  informers.start();
  loop.runUntil(loop.nowMillis() + 1000);
  for (let i = 0; i < pods; i++) {
    const containers = [{ name: 'c', image: 'i', resources: { requests: { cpu: 4, memory: '16Gi' } } }];
    store.create('pods', { metadata: { name: `p${i}`, namespace: 'default' }, spec: { containers } });
  }
  const end = loop.nowMillis() + LIMIT_MILLIS;
  const sum = (of: (each: (typeof shards.counts)[number]) => number): number =>
    shards.counts.reduce((total, each) => total + of(each), 0);
  while (sum(({ bound }) => bound) < pods && loop.nowMillis() < end) loop.runUntil(loop.nowMillis() + 100);
  shards.stop();
  informers.stop();
  const [bound, conflicts] = [sum((each) => each.bound), sum((each) => each.conflicts)];
  const { user, system } = process.cpuUsage(cpuBefore);
  const podsPerSecond = Math.round((bound * 0.99 * 1000) / shards.spanMillis(0.99));
  const late = `${((100 * conflicts) / (bound + conflicts)).toFixed(1)} %`;
  const handedOn = sum((each) => each.handedOn);
  return [nodes, rule, by, count, podsPerSecond, late, handedOn, bound, ((user + system) / 1e6).toFixed(1)];
}

function configurationOf(rule: string) {
  const loaded = checkConfiguration(`apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
profiles:
  - pluginConfig:
      - name: NodeResourcesFit
        args: {scoringStrategy: {type: ${RULES[rule]}, resources: [{name: cpu, weight: 1}, {name: memory, weight: 1}]}}
`);
  if (!loaded.ok) throw new Error(loaded.errors[0]?.message);
  return loaded.configuration;
}

const [nodes = '10000', by = 'pods', counts = '1,2,4', pods = '5000', rule = 'spread'] = process.argv.slice(2);
console.log('nodes rule shard schedulers pods/s late handed-on bound cpu-s');
for (const count of counts.split(',').map(Number)) {
  const row = play({ nodes: Number(nodes), pods: Number(pods), by: by as 'nodes' | 'pods', count, rule });
  console.log(row.join(' '));
}
