/**
 * `npm run bench:growth [-- --sizes 500,2000,8000 --match REGEX]`: what an operation of the built library costs in
 * small and in large clusters, for many features, each by itself. A cost that grows with the cluster is a cliff, unless
 * the operation looks at all of it by its nature.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { RealClock } from '../../src/lib/clock.ts';
import { clusterProbes } from './cluster-probes.ts';
import { growthOf, type Probe } from './growth.ts';
import { schedulerProbes } from './scheduler-probes.ts';

const DIST = join(import.meta.dirname, '../../dist/lib');
/** From here on a cost grows by more than runs differ. */
const GROWS = 0.4;

async function main(): Promise<void> {
  const options = {
    sizes: { type: 'string', default: '500,2000,8000' },
    match: { type: 'string', default: '' },
  } as const;
  const { values } = parseArgs({ options });
  const sizes = values.sizes.split(',').map(Number);
  if (sizes.some((size, i) => !Number.isInteger(size) || size <= (sizes[i - 1] ?? 0)))
    throw new Error('--sizes: must be whole numbers above 0, each above the one before');
  const pattern = new RegExp(values.match);
  if (!existsSync(DIST)) throw new Error('the library is not built: run npm run build');
  const { Scheduler } = (await import(`${DIST}/index.js`)) as typeof import('../../src/index.ts');
  const { Cluster } = (await import(`${DIST}/cluster.js`)) as typeof import('../../src/index-cluster.ts');
  const clock = new RealClock();
  console.log(row('µs each, of so many', [...sizes.map((size) => size.toLocaleString('en-US')), 'growth'], ''));
  const print = (probes: Readonly<Record<string, Probe>>, rounds: number): void => {
    for (const [name, probe] of Object.entries(probes)) {
      if (!pattern.test(name)) continue;
      const { micros, exponent } = growthOf(probe, { sizes, rounds, clock });
      const figures = [...micros.map((each) => each.toFixed(each < 10 ? 1 : 0)), exponent.toFixed(2)];
      console.log(row(name, figures, exponent >= GROWS ? '  grows' : ''));
    }
  };
  print(
    schedulerProbes(() => new Scheduler()),
    5,
  );
  print(
    clusterProbes((given) => new Cluster(given)),
    1,
  );
}

function row(name: string, figures: readonly string[], mark: string): string {
  return `${name.padEnd(44)}${figures.map((figure) => figure.padStart(10)).join('')}${mark}`;
}

try {
  await main();
} catch (error) {
  console.error(`bench:growth: ${error instanceof Error ? error.message : error}`);
  process.exitCode = 1;
}
